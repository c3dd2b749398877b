# Sets the environment for opspec's simulator SDK: source it from any folder, in bash, zsh or sh.
#
#   . DIR/setenv.sh
#
# ASCEND_HOME_PATH and ASCEND_TOOLKIT_HOME name the SDK, as CANN's own script does; compilers, linker, loader and CMake
# find headers and libraries without further options.

_opspec_here=
if [ -n "${BASH_VERSION:-}" ]; then
    _opspec_here=${BASH_SOURCE[0]:-}
elif [ -n "${ZSH_VERSION:-}" ]; then
    eval '_opspec_here=${(%):-%x}'
else # other shells do not say which file they read, but they keep it open
    for _opspec_file in /proc/$$/fd/*; do
        _opspec_file=$(readlink "$_opspec_file" 2>/dev/null) || continue
        case $_opspec_file in
        */setenv.sh) [ -e "${_opspec_file%/*}/lib64/libopspec_sim.so" ] && _opspec_here=$_opspec_file ;;
        esac
    done
    unset _opspec_file
fi
case $_opspec_here in
*/*) _opspec_here=$(cd "${_opspec_here%/*}" 2>/dev/null && pwd) ;;
?*) _opspec_here=$(pwd) ;;
esac

if [ -z "$_opspec_here" ] || [ ! -e "$_opspec_here/lib64/libopspec_sim.so" ]; then
    echo "setenv.sh: cannot tell where the SDK is: source it by a path, in bash" >&2
    unset _opspec_here
    return 1 2>/dev/null || exit 1
fi

# _opspec_first NAME FOLDER: the folder comes first in a list, once
_opspec_first() {
    eval "_opspec_list=\${$1:-}"
    case ":$_opspec_list:" in
    *":$2:"*) ;;
    *) eval "export $1=\"\$2\${_opspec_list:+:\$_opspec_list}\"" ;;
    esac
    unset _opspec_list
}

export ASCEND_HOME_PATH="$_opspec_here"
export ASCEND_TOOLKIT_HOME="$_opspec_here"
export ASCEND_OPP_PATH="$_opspec_here/opp"
export ASCEND_AICPU_PATH="$_opspec_here"
_opspec_first LD_LIBRARY_PATH "$_opspec_here/lib64"
_opspec_first LIBRARY_PATH "$_opspec_here/lib64"
_opspec_first CPATH "$_opspec_here/include/aclnnop"
_opspec_first CPATH "$_opspec_here/include"
_opspec_first CMAKE_PREFIX_PATH "$_opspec_here"
unset -f _opspec_first
unset _opspec_here
