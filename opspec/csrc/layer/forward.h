/* A function that is handed on: it jumps to the real one with all registers and the stack as they came. The first time
 * the slot is empty: layer_forward_first saves the registers of arguments, has the function found, and jumps. */
#ifndef OPSPEC_FORWARD_H
#define OPSPEC_FORWARD_H

#if defined(__x86_64__)

.macro FORWARD_TO name, place
    .globl \name
    .type \name, @function
    .p2align 4
\name:
    .cfi_startproc
    endbr64
    movq layer_forwarded + 16 * \place + 8(%rip), %r11
    testq %r11, %r11
    jz 1f
    jmp *%r11
1:  leaq layer_forwarded + 16 * \place(%rip), %r11
    jmp layer_forward_first
    .cfi_endproc
    .size \name, . - \name
.endm

    .text
    .type layer_forward_first, @function
layer_forward_first:
    .cfi_startproc
    subq $184, %rsp
    .cfi_adjust_cfa_offset 184
    movq %rdi, (%rsp)
    movq %rsi, 8(%rsp)
    movq %rdx, 16(%rsp)
    movq %rcx, 24(%rsp)
    movq %r8, 32(%rsp)
    movq %r9, 40(%rsp)
    movq %rax, 48(%rsp)
    movups %xmm0, 56(%rsp)
    movups %xmm1, 72(%rsp)
    movups %xmm2, 88(%rsp)
    movups %xmm3, 104(%rsp)
    movups %xmm4, 120(%rsp)
    movups %xmm5, 136(%rsp)
    movups %xmm6, 152(%rsp)
    movups %xmm7, 168(%rsp)
    movq %r11, %rdi
    call layer_forward
    movq %rax, %r11
    movq (%rsp), %rdi
    movq 8(%rsp), %rsi
    movq 16(%rsp), %rdx
    movq 24(%rsp), %rcx
    movq 32(%rsp), %r8
    movq 40(%rsp), %r9
    movq 48(%rsp), %rax
    movups 56(%rsp), %xmm0
    movups 72(%rsp), %xmm1
    movups 88(%rsp), %xmm2
    movups 104(%rsp), %xmm3
    movups 120(%rsp), %xmm4
    movups 136(%rsp), %xmm5
    movups 152(%rsp), %xmm6
    movups 168(%rsp), %xmm7
    addq $184, %rsp
    .cfi_adjust_cfa_offset -184
    jmp *%r11
    .cfi_endproc
    .size layer_forward_first, . - layer_forward_first

#elif defined(__aarch64__)

.macro FORWARD_TO name, place
    .globl \name
    .type \name, %function
    .p2align 4
\name:
    .cfi_startproc
    hint #34 // bti c
    adrp x17, layer_forwarded + 16 * \place
    add x17, x17, :lo12:layer_forwarded + 16 * \place
    ldr x16, [x17, #8]
    cbz x16, 1f
    br x16
1:  b layer_forward_first
    .cfi_endproc
    .size \name, . - \name
.endm

    .text
    .type layer_forward_first, %function
layer_forward_first:
    .cfi_startproc
    stp x29, x30, [sp, #-224]!
    .cfi_adjust_cfa_offset 224
    .cfi_rel_offset x29, 0
    .cfi_rel_offset x30, 8
    stp x0, x1, [sp, #16]
    stp x2, x3, [sp, #32]
    stp x4, x5, [sp, #48]
    stp x6, x7, [sp, #64]
    str x8, [sp, #80]
    stp q0, q1, [sp, #96]
    stp q2, q3, [sp, #128]
    stp q4, q5, [sp, #160]
    stp q6, q7, [sp, #192]
    mov x0, x17
    bl layer_forward
    mov x16, x0
    ldp x0, x1, [sp, #16]
    ldp x2, x3, [sp, #32]
    ldp x4, x5, [sp, #48]
    ldp x6, x7, [sp, #64]
    ldr x8, [sp, #80]
    ldp q0, q1, [sp, #96]
    ldp q2, q3, [sp, #128]
    ldp q4, q5, [sp, #160]
    ldp q6, q7, [sp, #192]
    ldp x29, x30, [sp], #224
    .cfi_adjust_cfa_offset -224
    .cfi_restore x29
    .cfi_restore x30
    br x16
    .cfi_endproc
    .size layer_forward_first, . - layer_forward_first

#else
#error "functions are handed on for x86-64 and aarch64 only"
#endif

#define FORWARD(name, place) FORWARD_TO name, place

#endif
