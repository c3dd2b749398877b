/* Findings as text and as JSON lines; what is muted, and what has been told often enough. */
#define _GNU_SOURCE /* SYS_gettid */
#include "events.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "opspec_say.h"
#include "line.h"
#include "mute.h"

/* --- settings ----------------------------------------------------------------------------------------------------- */

/* A file that lines go to. Programs may close descriptors that are not theirs and have the number given to a file of
 * their own: what was opened is remembered, and a number that means another file is written to no more. */
typedef struct {
    int descriptor; /* -1: none */
    dev_t device;
    ino_t inode;
    const char *variable; /* what asked for it; NULL for standard error */
    atomic_bool full;     /* it was told that a line did not fit */
} sink;

static struct {
    pthread_once_t once;
    sink output, events, record;
    opspec_severity severity;
    uint64_t repeat;
} settings = {PTHREAD_ONCE_INIT, {.descriptor = -1}, {.descriptor = -1}, {.descriptor = -1}, OPSPEC_ERROR, 10};

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0' ? value : NULL;
}

static bool remember(sink *to, const char *variable, int descriptor)
{
    struct stat about;
    if (descriptor < 0 || fstat(descriptor, &about) != 0)
        return false;
    to->descriptor = descriptor;
    to->device = about.st_dev;
    to->inode = about.st_ino;
    to->variable = variable;
    return true;
}

static bool open_file(sink *to, const char *variable, const char *path)
{
    if (remember(to, variable, open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644)))
        return true;
    opspec_complain("%s: cannot write %s: %s", variable, path, strerror(errno));
    return false;
}

static void read_output(void)
{
    const char *value = environment("OPSPEC_OUTPUT");
    if (value != NULL && strcmp(value, "none") == 0)
        return;
    if (value != NULL && strcmp(value, "stderr") != 0 && open_file(&settings.output, "OPSPEC_OUTPUT", value))
        return;
    (void)remember(&settings.output, NULL, STDERR_FILENO);
}

static void read_severity(void)
{
    const char *value = environment("OPSPEC_SEVERITY");
    for (int i = OPSPEC_OFF; value != NULL && i <= OPSPEC_INFO; i++)
        if (strcmp(value, opspec_severity_names[i]) == 0) {
            settings.severity = (opspec_severity)i;
            return;
        }
    if (value != NULL)
        opspec_complain("OPSPEC_SEVERITY: %s is none of off, error, warning, info; taken as error", value);
}

static void read_repeat(void)
{
    const char *value = environment("OPSPEC_REPEAT");
    char *end = NULL;
    if (value == NULL)
        return;
    errno = 0;
    const unsigned long long number = strtoull(value, &end, 10);
    if (errno == 0 && *end == '\0' && *value >= '0' && *value <= '9')
        settings.repeat = number;
    else
        opspec_complain("OPSPEC_REPEAT: %s is no number; taken as %llu", value, (unsigned long long)settings.repeat);
}

static void before_fork(void);
static void after_fork(void);
static void after_fork_in_child(void);

static void read_settings(void)
{
    const char *events = environment("OPSPEC_EVENTS"), *record = environment("OPSPEC_RECORD");
    read_output();
    read_severity();
    read_repeat();
    opspec_mute(environment("OPSPEC_MUTE"));
    if (events != NULL)
        (void)open_file(&settings.events, "OPSPEC_EVENTS", events);
    if (record != NULL)
        (void)open_file(&settings.record, "OPSPEC_RECORD", record);
    (void)pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

static void need_settings(void)
{
    const int before = errno;
    (void)pthread_once(&settings.once, read_settings);
    errno = before;
}

static bool says(opspec_severity severity)
{
    if (severity == OPSPEC_OFF || settings.severity == OPSPEC_OFF || settings.output.descriptor < 0)
        return false;
    return severity == OPSPEC_NOTE || severity <= settings.severity;
}

bool opspec_records_calls(void)
{
    need_settings();
    return settings.record.descriptor >= 0 || settings.events.descriptor >= 0;
}

/* --- counts ------------------------------------------------------------------------------------------------------- */

typedef struct counter {
    struct counter *next;
    uint64_t count;
    uint64_t told;
    char key[]; /* OPERATOR/RULE, or a kind */
} counter;

enum { BUCKETS = 512 };

static struct {
    pthread_mutex_t lock;
    counter *buckets[BUCKETS];
    opspec_source source; /* of the first event */
    atomic_uint_fast64_t calls, refused;
    atomic_bool started;
} counts = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void before_fork(void) { pthread_mutex_lock(&counts.lock); }
static void after_fork(void) { pthread_mutex_unlock(&counts.lock); }

/* The child counts its own. */
static void after_fork_in_child(void)
{
    for (int i = 0; i < BUCKETS; i++)
        for (counter *entry = counts.buckets[i]; entry != NULL; entry = entry->next)
            entry->count = entry->told = 0;
    atomic_store(&counts.calls, 0);
    atomic_store(&counts.refused, 0);
    atomic_store(&counts.started, false);
    pthread_mutex_unlock(&counts.lock);
}

static counter *counter_of(const char *key)
{
    uint32_t hash = 2166136261u;
    for (const char *at = key; *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    counter **bucket = &counts.buckets[hash % BUCKETS], *entry = *bucket;
    while (entry != NULL && strcmp(entry->key, key) != 0)
        entry = entry->next;
    if (entry == NULL && (entry = malloc(sizeof *entry + strlen(key) + 1)) != NULL) {
        *entry = (counter){.next = *bucket};
        memcpy(entry->key, key, strlen(key) + 1);
        *bucket = entry;
    }
    return entry;
}

typedef enum { TELL, TELL_LAST, TELL_NOT } telling;

/* Counts a finding; whether it is still told as text. operator: NULL, or what stands before the rule. */
static telling count(const char *operator, const char *rule, bool text)
{
    opspec_line key;
    telling so = text ? TELL : TELL_NOT;
    opspec_line_begin(&key);
    if (operator != NULL)
        opspec_line_printf(&key, "%s/", operator);
    opspec_line_puts(&key, rule);
    pthread_mutex_lock(&counts.lock);
    counter *entry = counter_of(key.data);
    if (entry != NULL) {
        entry->count++;
        if (text && settings.repeat > 0 && entry->told >= settings.repeat)
            so = TELL_NOT;
        else if (text && ++entry->told == settings.repeat)
            so = TELL_LAST;
    }
    pthread_mutex_unlock(&counts.lock);
    opspec_line_end(&key);
    return so;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static void write_line(sink *to, opspec_line *line)
{
    struct stat about;
    opspec_line_puts(line, "\n");
    if (to->descriptor < 0 || fstat(to->descriptor, &about) != 0)
        return;
    if (about.st_dev != to->device || about.st_ino != to->inode || opspec_line_write(line, to->descriptor))
        return;
    const int cause = errno;
    if (to->variable != NULL && !atomic_exchange(&to->full, true))
        opspec_complain("%s: lines are lost: %s", to->variable, strerror(cause));
}

static long thread_id(void) { return syscall(SYS_gettid); }

static void write_start(opspec_source source, const char *release, int32_t product)
{
    opspec_line line;
    char program[1024];
    const ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);
    program[size > 0 ? size : 0] = '\0';
    opspec_line_begin(&line);
    opspec_line_puts(&line, "{\"event\": \"start\", \"source\": ");
    opspec_line_json(&line, opspec_source_names[source]);
    opspec_line_printf(&line, ", \"pid\": %ld, \"program\": ", (long)getpid());
    opspec_line_json(&line, size > 0 ? program : NULL);
    opspec_line_puts(&line, ", \"release\": ");
    opspec_line_json(&line, release);
    opspec_line_puts(&line, ", \"product\": ");
    opspec_line_json(&line, opspec_product_name(product));
    opspec_line_puts(&line, "}");
    write_line(&settings.events, &line);
    opspec_line_end(&line);
}

static const char *id_of(opspec_finding kind) { return opspec_findings[kind].id; }

/* What OPSPEC_MUTE leaves in doubt, once: when it is known who tells it. */
static void tell_doubts(opspec_source source)
{
    static atomic_flag told = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&told))
        return;
    for (const char *word = opspec_mute_doubt(NULL); word != NULL; word = opspec_mute_doubt(word))
        opspec_tell(source, FOUND_SETTING_INVALID, "OPSPEC_MUTE: %.100s is no kind of finding; did you mean %s?", word,
            id_of(opspec_finding_near(word)));
}

/* The first event of all; also of the process, after a fork. */
void opspec_tell_start(opspec_source source, const char *release, int32_t product)
{
    need_settings();
    if (atomic_load_explicit(&counts.started, memory_order_relaxed))
        return;
    pthread_mutex_lock(&counts.lock);
    if (!atomic_load(&counts.started)) {
        counts.source = source;
        if (settings.events.descriptor >= 0)
            write_start(source, release, product);
        atomic_store(&counts.started, true);
    }
    pthread_mutex_unlock(&counts.lock);
    tell_doubts(source);
}

/* --- judged calls ------------------------------------------------------------------------------------------------- */

typedef struct {
    opspec_source source;
    const opspec_operator *op;
    const opspec_call *call;
    const opspec_verdict *verdict;
    int32_t actual;
} event;

static bool as_json(void) { return settings.events.descriptor >= 0; }

static const char *rule_id(const opspec_operator *op, int rule)
{
    return rule == OPSPEC_PRODUCT_UNKNOWN ? id_of(FOUND_PRODUCT_UNKNOWN) : op->rules[rule].id;
}

enum { WORDS_MAX = 8192 };

/* Adds the words to a line, as far as they are within reason. */
static void say_rule(opspec_line *text, const event *e, int rule)
{
    size_t size = opspec_say_rule(e->op, e->call, rule, text->data + text->size, text->room - text->size);
    size = size < WORDS_MAX ? size : WORDS_MAX;
    if (size >= text->room - text->size && opspec_line_reserve(text, size))
        (void)opspec_say_rule(e->op, e->call, rule, text->data + text->size, text->room - text->size);
    text->size += size < text->room - text->size ? size : text->room - text->size - 1;
}

static void add_status(opspec_line *text, int32_t status)
{
    const char *name = opspec_status_name(status);
    opspec_line_printf(text, name == NULL ? "%d" : "%d ", (int)status);
    opspec_line_puts(text, name == NULL ? "" : name);
}

static void open_line(opspec_line *line, const event *e, opspec_severity severity)
{
    opspec_line_begin(line);
    opspec_line_printf(line, "opspec %s: %s: ", opspec_source_names[e->source], opspec_severity_names[severity]);
}

/* Whatever it quotes, it is one line. */
static void close_line(opspec_line *line, telling so)
{
    for (size_t i = 0; i < line->size; i++)
        if ((unsigned char)line->data[i] < 0x20 || line->data[i] == 0x7F)
            line->data[i] = '?';
    if (so == TELL_LAST)
        opspec_line_printf(line, " (told %llu times; not again)", (unsigned long long)settings.repeat);
    write_line(&settings.output, line);
    opspec_line_end(line);
}

/* A broken rule of a call, or in place of a rule the doubt about its product. */
typedef struct {
    int rule;
    bool is_warning;
    opspec_enforcement enforcement;
    bool assumed;
} broken_rule;

static broken_rule violation_at(const event *e, int32_t place)
{
    const opspec_verdict *v = e->verdict;
    const opspec_enforcement let_pass = v->unknown[place] ? OPSPEC_UNKNOWN : OPSPEC_UNCHECKED;
    return (broken_rule){v->violations[place], false, v->refused[place] ? OPSPEC_REFUSED : let_pass, v->assumed[place]};
}

static broken_rule warning_at(const event *e, int32_t place)
{
    const int rule = e->verdict->warnings[place];
    const bool assumed = rule >= 0 && (e->op->rules[rule].flags & OPSPEC_RULE_ASSUMED);
    return (broken_rule){rule, true, OPSPEC_CONTRADICTED, assumed};
}

/* OPERATOR/RULE: words (status; what else there is to tell), as a line of text. */
static void tell_finding(const event *e, const broken_rule *broken, const char *words, telling so)
{
    opspec_line line;
    open_line(&line, e, broken->is_warning ? OPSPEC_WARNING : OPSPEC_ERROR);
    opspec_line_printf(&line, "%s/%s: %s", e->op->name, rule_id(e->op, broken->rule), words);
    const char *told = opspec_enforcements[broken->enforcement].told[broken->assumed];
    if (!broken->is_warning && broken->enforcement == OPSPEC_REFUSED) {
        opspec_line_puts(&line, " (");
        add_status(&line, e->op->rules[broken->rule].status);
        opspec_line_printf(&line, "%s%s)", told[0] != '\0' ? "; " : "", told);
    } else if (!broken->is_warning) {
        opspec_line_printf(&line, " (%s: %s)", opspec_enforcements[broken->enforcement].name, told);
    }
    close_line(&line, so);
}

static void tell_broken(const event *e, broken_rule (*at)(const event *, int32_t), opspec_severity severity, int32_t number)
{
    if (!says(severity) && !as_json())
        return;
    for (int32_t i = 0; i < number; i++) {
        const broken_rule broken = at(e, i);
        const char *id = rule_id(e->op, broken.rule);
        const telling so = opspec_is_muted(e->op->name, id) ? TELL_NOT : count(e->op->name, id, says(severity));
        if (so == TELL_NOT)
            continue;
        opspec_line words;
        opspec_line_begin(&words);
        say_rule(&words, e, broken.rule);
        tell_finding(e, &broken, words.data, so);
        opspec_line_end(&words);
    }
}

static void tell_undecided(const event *e)
{
    for (int32_t i = 0; says(OPSPEC_INFO) && i < e->verdict->undecided_count; i++) {
        const opspec_undecided *one = &e->verdict->undecided[i];
        const char *id = rule_id(e->op, one->rule);
        const telling so = opspec_is_muted(e->op->name, id) ? TELL_NOT : count(e->op->name, id, true);
        if (so == TELL_NOT)
            continue;
        opspec_line line;
        open_line(&line, e, OPSPEC_INFO);
        opspec_line_printf(&line, "%s/%s: not decided: ", e->op->name, id);
        if (one->reason == OPSPEC_LACKS_DATA)
            opspec_line_puts(&line, "it reads what is not known of the call");
        else if (one->reason == OPSPEC_SKIPPED && one->because >= 0)
            opspec_line_printf(&line, "%s is broken", rule_id(e->op, one->because));
        else
            opspec_line_puts(&line, "beyond a limit of opspec");
        close_line(&line, so);
    }
}

/* opspec itself failed: never mistaken for a call that breaks nothing. */
static void tell_fault(const event *e)
{
    const int rule = e->verdict->fault_rule;
    opspec_tell(e->source, FOUND_INTERNAL_ERROR, "%s%s%s: opspec itself failed, the call is not judged: %s", e->op->name,
        rule < 0 ? "" : "/", rule < 0 ? "" : rule_id(e->op, rule), e->verdict->fault);
}

/* A library that does not return what the rules predict: of interest to who keeps the rules. */
static void tell_difference(const event *e)
{
    const char *id = id_of(FOUND_STATUS_DIFFERS);
    if (e->verdict->fault != NULL || e->actual == e->verdict->status || !says(OPSPEC_WARNING) || opspec_is_muted(e->op->name, id))
        return;
    const telling so = count(e->op->name, id, true);
    if (so == TELL_NOT)
        return;
    opspec_line line;
    open_line(&line, e, OPSPEC_WARNING);
    opspec_line_printf(&line, "%s/%s: the library returned ", e->op->name, id);
    add_status(&line, e->actual);
    opspec_line_puts(&line, ", the rules say ");
    add_status(&line, e->verdict->status);
    close_line(&line, so);
}

static void add_finding(opspec_line *json, const event *e, const broken_rule *broken)
{
    const int rule = broken->rule;
    const int param = rule < 0 ? -1 : e->op->rules[rule].param;
    opspec_line words;
    opspec_line_begin(&words);
    say_rule(&words, e, rule);
    opspec_line_puts(json, json->data[json->size - 1] == '[' ? "{\"rule\": " : ", {\"rule\": ");
    opspec_line_json(json, rule_id(e->op, rule));
    opspec_line_puts(json, ", \"param\": ");
    opspec_line_json(json, param < 0 ? NULL : e->op->params[param].name);
    opspec_line_printf(json, ", \"status\": %d, \"enforcement\": ", (int)(rule < 0 ? 0 : e->op->rules[rule].status));
    opspec_line_json(json, rule < 0 ? NULL : opspec_enforcements[broken->enforcement].name);
    opspec_line_printf(json, ", \"assumed\": %s, \"message\": ", broken->assumed ? "true" : "false");
    opspec_line_json(json, words.data);
    opspec_line_puts(json, "}");
    opspec_line_end(&words);
}

static void add_findings(
    opspec_line *json, const char *name, const event *e, broken_rule (*at)(const event *, int32_t), int32_t number)
{
    opspec_line_printf(json, ", \"%s\": [", name);
    for (int32_t i = 0; i < number; i++) {
        const broken_rule broken = at(e, i);
        if (!opspec_is_muted(e->op->name, rule_id(e->op, broken.rule)))
            add_finding(json, e, &broken);
    }
    opspec_line_puts(json, "]");
}

/* A call's own JSON; false, and nothing is added, where there is no memory: one that is cut off could not be read. */
static bool add_call(opspec_line *line, const opspec_operator *op, const opspec_call *call)
{
    const size_t size = opspec_say_call(op, call, line->data + line->size, line->room - line->size);
    if (size >= line->room - line->size) {
        if (!opspec_line_reserve(line, size + 1))
            return false;
        (void)opspec_say_call(op, call, line->data + line->size, line->room - line->size);
    }
    line->size += size;
    return true;
}

/* "calling": before a library is called that may not come back; "call": when the status is known. */
static void write_call(const char *kind, const event *e)
{
    opspec_line json;
    opspec_line_begin(&json);
    opspec_line_printf(&json, "{\"event\": \"%s\", \"source\": ", kind);
    opspec_line_json(&json, opspec_source_names[e->source]);
    opspec_line_puts(&json, ", \"op\": ");
    opspec_line_json(&json, e->op->name);
    opspec_line_printf(&json, ", \"thread\": %ld, \"predicted\": %d, \"actual\": ", thread_id(),
        (int)e->verdict->status);
    opspec_line_printf(&json, strcmp(kind, "call") == 0 ? "%d" : "null", (int)e->actual);
    add_findings(&json, "violations", e, violation_at, e->verdict->violation_count);
    add_findings(&json, "warnings", e, warning_at, e->verdict->warning_count);
    opspec_line_printf(&json, ", \"undecided\": %d", (int)e->verdict->undecided_count);
    if (strcmp(kind, "calling") == 0 && !e->op->beside) { /* of a library that does not come back it is all there is */
        opspec_line_puts(&json, ", \"call\": ");
        if (!add_call(&json, e->op, e->call))
            opspec_line_puts(&json, "null");
    }
    opspec_line_puts(&json, "}");
    write_line(&settings.events, &json);
    opspec_line_end(&json);
}

/* A call as "opspec conformance" reads it: with the status and the message that the program gets. That a device's first
 * phase returned success says that all stages of it did; the simulator's is what the rules expect. */
static void record_call(const event *e, const char *message)
{
    const char *status = e->actual == 0 ? "ACLNN_SUCCESS" : opspec_status_name(e->actual);
    opspec_line line;
    opspec_line_begin(&line);
    if (add_call(&line, e->op, e->call)) {
        line.size--; /* its last brace */
        opspec_line_puts(&line, ", \"expect\": ");
        opspec_line_json(&line, status == NULL ? "REJECT" : status);
        if (status == NULL)
            opspec_line_printf(&line, ", \"x-status\": %d", (int)e->actual);
        if (e->source == OPSPEC_LAYER && e->actual == 0)
            opspec_line_puts(&line, ", \"stage\": \"ok\"");
        if (message != NULL && message[0] != '\0') {
            opspec_line_puts(&line, ", \"said\": ");
            opspec_line_json(&line, message);
        }
        opspec_line_puts(&line, ", \"x-by\": ");
        opspec_line_json(&line, opspec_source_names[e->source]);
        opspec_line_puts(&line, "}");
        write_line(&settings.record, &line);
    }
    opspec_line_end(&line);
}

/* What the violation that the status stems from comes to, or how opspec failed. */
static void put_message(opspec_line *text, const event *e)
{
    const opspec_verdict *verdict = e->verdict;
    const int rule = verdict->fault == NULL ? verdict->violations[verdict->decisive] : verdict->fault_rule;
    opspec_line_printf(text, "%s%s%s: ", e->op->name, rule < 0 ? "" : "/", rule < 0 ? "" : rule_id(e->op, rule));
    if (e->verdict->fault != NULL) {
        opspec_line_printf(text, "opspec itself failed: %s", e->verdict->fault);
        return;
    }
    say_rule(text, e, rule);
    opspec_line_puts(text, " (");
    add_status(text, e->op->rules[rule].status);
    opspec_line_puts(text, ")");
}

/* Empty of a call that the first phase accepts, whatever is wrong with it: a runtime that returns success says nothing. */
static void write_message(const event *e, char *message, size_t size)
{
    message[0] = '\0';
    if (e->verdict->fault == NULL && e->verdict->decisive < 0)
        return;
    opspec_line text;
    opspec_line_begin(&text);
    put_message(&text, e);
    const size_t kept = text.size < size ? text.size : size - 1;
    memcpy(message, text.data, kept);
    message[kept] = '\0';
    opspec_line_end(&text);
}

/* Whether there is something to say of a judged call before the library's status is known. */
static bool is_told(const opspec_verdict *verdict)
{
    return verdict->fault != NULL || (verdict->violation_count > 0 && (says(OPSPEC_ERROR) || as_json())) ||
        (verdict->warning_count > 0 && (says(OPSPEC_WARNING) || as_json())) ||
        (verdict->undecided_count > 0 && says(OPSPEC_INFO));
}

static void tell_judged(const event *e)
{
    if (e->verdict->fault != NULL)
        tell_fault(e);
    tell_broken(e, violation_at, OPSPEC_ERROR, e->verdict->violation_count);
    tell_broken(e, warning_at, OPSPEC_WARNING, e->verdict->warning_count);
    tell_undecided(e);
}

void opspec_tell_calling(opspec_source source, const opspec_operator *op, const opspec_call *call,
    const opspec_verdict *verdict)
{
    opspec_tell_start(source, op->release, call->product);
    if (!is_told(verdict))
        return;
    const int before = errno;
    const event e = {source, op, call, verdict, 0};
    tell_judged(&e);
    if (verdict->violation_count > 0 && as_json())
        write_call("calling", &e);
    errno = before;
}

void opspec_tell_called(opspec_source source, const opspec_operator *op, const opspec_call *call,
    const opspec_verdict *verdict, int32_t actual, const char *message)
{
    const bool is_recorded = settings.record.descriptor >= 0 && !op->beside;
    atomic_fetch_add_explicit(&counts.calls, 1, memory_order_relaxed);
    if (actual != 0)
        atomic_fetch_add_explicit(&counts.refused, 1, memory_order_relaxed);
    if (!is_recorded && !as_json() && (actual == verdict->status || !says(OPSPEC_WARNING)))
        return;
    const int before = errno;
    const event e = {source, op, call, verdict, actual};
    tell_difference(&e);
    if (is_recorded)
        record_call(&e, actual == 0 ? NULL : message);
    if (as_json())
        write_call("call", &e);
    errno = before;
}

void opspec_tell_verdict(opspec_source source, const opspec_operator *op, const opspec_call *call,
    const opspec_verdict *verdict, int32_t actual, char *message, size_t size)
{
    opspec_tell_start(source, op->release, call->product);
    const int before = errno;
    const event e = {source, op, call, verdict, actual};
    if (message != NULL && size > 0)
        write_message(&e, message, size);
    if (is_told(verdict))
        tell_judged(&e);
    errno = before;
    opspec_tell_called(source, op, call, verdict, actual, message);
}

void opspec_message(opspec_source source, const opspec_operator *op, const opspec_call *call,
    const opspec_verdict *verdict, char *message, size_t size)
{
    const event e = {source, op, call, verdict, verdict->status};
    write_message(&e, message, size);
}

/* --- other findings ----------------------------------------------------------------------------------------------- */

static void write_finding(opspec_source source, opspec_severity severity, const char *kind, const char *words)
{
    opspec_line json;
    opspec_line_begin(&json);
    opspec_line_puts(&json, "{\"event\": \"finding\", \"source\": ");
    opspec_line_json(&json, opspec_source_names[source]);
    opspec_line_printf(&json, ", \"severity\": \"%s\", \"kind\": ", opspec_severity_names[severity]);
    opspec_line_json(&json, kind);
    opspec_line_puts(&json, ", \"message\": ");
    opspec_line_json(&json, words);
    opspec_line_printf(&json, ", \"thread\": %ld}", thread_id());
    write_line(&settings.events, &json);
    opspec_line_end(&json);
}

void opspec_tell(opspec_source source, opspec_finding kind, const char *format, ...)
{
    const int before = errno;
    const opspec_severity severity = (opspec_severity)opspec_findings[kind].severity[source];
    opspec_tell_start(source, NULL, 0);
    if (severity == OPSPEC_OFF || (!says(severity) && !as_json()) || opspec_is_muted(NULL, id_of(kind)))
        return;
    const telling so = count(NULL, id_of(kind), says(severity));
    if (so == TELL_NOT && !as_json())
        return;
    opspec_line words;
    va_list values;
    opspec_line_begin(&words);
    va_start(values, format);
    opspec_line_vprintf(&words, format, values);
    va_end(values);
    if (as_json())
        write_finding(source, severity == OPSPEC_NOTE ? OPSPEC_INFO : severity, id_of(kind), words.data);
    if (so != TELL_NOT) {
        opspec_line line;
        opspec_line_begin(&line);
        opspec_line_printf(&line, "opspec %s: %s: %s: %s", opspec_source_names[source], opspec_severity_names[severity],
            id_of(kind), words.data);
        close_line(&line, so);
    }
    opspec_line_end(&words);
    errno = before;
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

/* Findings that were not told any more. */
static void tell_rest(const counter *entry)
{
    if (entry->told == 0 || entry->told >= entry->count)
        return;
    opspec_line line;
    opspec_line_begin(&line);
    opspec_line_printf(&line, "opspec %s: %s: %llu times in all", opspec_source_names[counts.source],
        entry->key, (unsigned long long)entry->count);
    close_line(&line, TELL);
}

/* Takes the counts: an end that is told again tells what came in between. */
static void end_line(opspec_line *json)
{
    const char *comma = "";
    opspec_line_puts(json, "{\"event\": \"end\", \"source\": ");
    opspec_line_json(json, opspec_source_names[counts.source]);
    opspec_line_printf(json, ", \"calls\": %llu, \"refused\": %llu, \"findings\": {",
        (unsigned long long)atomic_exchange(&counts.calls, 0), (unsigned long long)atomic_exchange(&counts.refused, 0));
    for (int i = 0; i < BUCKETS; i++)
        for (counter *entry = counts.buckets[i]; entry != NULL; entry = entry->next) {
            tell_rest(entry);
            if (entry->count > 0) {
                opspec_line_puts(json, comma);
                opspec_line_json(json, entry->key);
                opspec_line_printf(json, ": %llu", (unsigned long long)entry->count);
                comma = ", ";
            }
            entry->count = entry->told = 0;
        }
    opspec_line_puts(json, "}}");
}

void opspec_tell_end(void)
{
    const int before = errno;
    if (!atomic_exchange(&counts.started, false))
        return;
    opspec_line json;
    opspec_line_begin(&json);
    pthread_mutex_lock(&counts.lock);
    end_line(&json);
    pthread_mutex_unlock(&counts.lock);
    write_line(&settings.events, &json);
    opspec_line_end(&json);
    errno = before;
}

/* Behind handlers of atexit and destructors of the libraries that use this one: leaks are found there. */
__attribute__((destructor(101))) static void at_the_end(void) { opspec_tell_end(); }
