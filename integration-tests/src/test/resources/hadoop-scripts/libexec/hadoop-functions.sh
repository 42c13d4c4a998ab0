#!/usr/bin/env bash
# Copyright The Trefoil Authors
# SPDX-License-Identifier: Apache-2.0
#
# Stands in for Hadoop's file of this name; see README.md. Its functions are called as there, because profiles call them.
# shellcheck disable=SC2034

function hadoop_error
{
  echo "$*" >&2
}

function hadoop_exit_with_usage
{
  hadoop_usage
  exit "$1"
}

# The variable named, a pattern that tells whether it is there already, and what is added.
function hadoop_add_param
{
  if [[ ! "${!1:-}" =~ $2 ]]; then
    printf -v "$1" '%s' "${!1:-} $3"
  fi
}

function hadoop_add_profile
{
  hadoop_add_param HADOOP_SHELL_PROFILES "$1" "$1"
}

function hadoop_add_subcommand
{
  HADOOP_SUBCMD_USAGE+=("$1 ($2): $3")
}

function hadoop_add_classpath
{
  if [[ "$1" = *\* ]]; then
    [[ -d "$(dirname "$1")" ]] || return 1
  elif [[ ! -e "$1" ]]; then
    return 1
  fi
  if [[ -z "${CLASSPATH:-}" ]]; then
    CLASSPATH=$1
  elif [[ ":${CLASSPATH}:" != *":$1:"* ]]; then
    if [[ "${2:-after}" = before ]]; then
      CLASSPATH=$1:${CLASSPATH}
    else
      CLASSPATH+=:$1
    fi
  fi
}

function hadoop_parse_args
{
  HADOOP_DAEMON_MODE=default
  HADOOP_WORKER_MODE=false
  HADOOP_PARSE_COUNTER=0
  while [[ $# -gt 0 ]]; do
    case $1 in
      --config)
        if [[ ! -d "$2" ]]; then
          hadoop_error "ERROR: Cannot find configuration directory \"$2\""
          hadoop_exit_with_usage 1
        fi
        HADOOP_CONF_DIR=$2
        shift 2
        (( HADOOP_PARSE_COUNTER += 2 ))
        ;;
      --daemon) HADOOP_DAEMON_MODE=$2; shift 2; (( HADOOP_PARSE_COUNTER += 2 )) ;;
      --loglevel) HADOOP_LOGLEVEL=$2; shift 2; (( HADOOP_PARSE_COUNTER += 2 )) ;;
      --help | -help | -h | help) hadoop_exit_with_usage 0 ;;
      --hostnames) HADOOP_WORKER_NAMES=$2; shift 2; (( HADOOP_PARSE_COUNTER += 2 )) ;;
      --workers) HADOOP_WORKER_MODE=true; shift; (( HADOOP_PARSE_COUNTER += 1 )) ;;
      *) break ;;
    esac
  done
  if [[ ! "${HADOOP_DAEMON_MODE}" =~ ^(default|start|stop|status)$ ]]; then
    hadoop_error 'ERROR: --daemon must be followed by either "start", "stop", or "status".'
    hadoop_exit_with_usage 1
  fi
}

function hadoop_exec_hadoopenv
{
  if [[ -z "${HADOOP_ENV_PROCESSED:-}" && -f "${HADOOP_CONF_DIR}/hadoop-env.sh" ]]; then
    export HADOOP_ENV_PROCESSED=true
    # shellcheck disable=SC1091
    . "${HADOOP_CONF_DIR}/hadoop-env.sh"
  fi
}

# What else a host or a user may have set, each in a file of its own.
function hadoop_source_if_there
{
  if [[ -f "$1" ]]; then
    # shellcheck disable=SC1090
    . "$1"
  fi
}

function hadoop_import_shellprofiles
{
  local profile
  for profile in "${HADOOP_LIBEXEC_DIR}"/shellprofile.d/*.sh "${HADOOP_CONF_DIR}"/shellprofile.d/*.sh; do
    if [[ -f "${profile}" ]]; then
      # shellcheck disable=SC1090
      . "${profile}"
    fi
  done
}

# One hook of all profiles that have it: init, classpath, nativelib or finalize.
function hadoop_shellprofiles_call
{
  local profile
  for profile in ${HADOOP_SHELL_PROFILES:-}; do
    if declare -F "_${profile}_hadoop_$1" >/dev/null; then
      "_${profile}_hadoop_$1"
    fi
  done
}

function hadoop_basic_init
{
  CLASSPATH=""
  if [[ -z "${HADOOP_COMMON_HOME:-}" && -d "${HADOOP_HOME}/share/hadoop/common" ]]; then
    export HADOOP_COMMON_HOME=${HADOOP_HOME}
  fi
  USER=${USER:-$(id -un)}
  HADOOP_IDENT_STRING=${HADOOP_IDENT_STRING:-${USER}}
  HADOOP_LOG_DIR=${HADOOP_LOG_DIR:-${HADOOP_HOME}/logs}
  HADOOP_LOGFILE=${HADOOP_LOGFILE:-hadoop.log}
  HADOOP_PID_DIR=${HADOOP_PID_DIR:-/tmp}
  HADOOP_LOGLEVEL=${HADOOP_LOGLEVEL:-INFO}
  HADOOP_ROOT_LOGGER=${HADOOP_ROOT_LOGGER:-${HADOOP_LOGLEVEL},console}
  HADOOP_DAEMON_ROOT_LOGGER=${HADOOP_DAEMON_ROOT_LOGGER:-${HADOOP_LOGLEVEL},RFA}
  HADOOP_STOP_TIMEOUT=${HADOOP_STOP_TIMEOUT:-5}
}

function hadoop_java_setup
{
  if [[ -z "${JAVA_HOME:-}" ]]; then
    hadoop_error "ERROR: JAVA_HOME is not set and could not be found."
    exit 1
  fi
  if [[ ! -d "${JAVA_HOME}" ]]; then
    hadoop_error "ERROR: JAVA_HOME ${JAVA_HOME} does not exist."
    exit 1
  fi
  JAVA=${JAVA_HOME}/bin/java
  if [[ ! -x "${JAVA}" ]]; then
    hadoop_error "ERROR: ${JAVA} is not executable."
    exit 1
  fi
}

function hadoop_verify_confdir
{
  if [[ ! -f "${HADOOP_CONF_DIR}/log4j.properties" ]]; then
    hadoop_error "WARNING: log4j.properties is not found. HADOOP_CONF_DIR may be incomplete."
  fi
}

# Of daemons only: whoever starts one must be able to write its files.
function hadoop_verify_folder
{
  if [[ ! -d "$1" ]]; then
    hadoop_error "WARNING: $1 does not exist. Creating."
    if ! mkdir -p -- "$1"; then
      hadoop_error "ERROR: Unable to create $1. Aborting."
      exit 1
    fi
  fi
  if ! touch -- "$1/$$" 2>/dev/null; then
    hadoop_error "ERROR: Unable to write in $1. Aborting."
    exit 1
  fi
  rm -- "$1/$$"
}

# HDFS_NAMENODE_USER says who alone may run "hdfs namenode". Root becomes that user; all others are refused.
function hadoop_verify_user_perm
{
  local variable=${1^^}_${2^^}_USER
  [[ "$2" != *.* ]] || return 0
  if [[ -n "${!variable:-}" && "${!variable}" != "${USER}" ]]; then
    hadoop_error "ERROR: $2 can only be executed by ${!variable}."
    exit 1
  fi
}

function hadoop_need_reexec
{
  local variable=${1^^}_${2^^}_USER
  [[ "$2" != *.* && "${EUID}" = 0 && -n "${!variable:-}" && "${!variable}" != "${USER}" ]]
}

# Each command has its own variable for options of the JVM: hdfs and poolnode have HDFS_POOLNODE_OPTS.
function hadoop_subcommand_opts
{
  local options=${1^^}_${2^^}_OPTS older=HADOOP_${2^^}_OPTS
  [[ "$2" != *.* ]] || return 0
  if [[ -n "${!older:-}" ]]; then
    hadoop_error "WARNING: ${older} has been replaced by ${options}. Using value of ${older}."
    printf -v "${options}" '%s' "${!older}"
  fi
  HADOOP_OPTS+=" ${!options:-}"
}

# Daemons do not get the options of clients.
function hadoop_add_client_opts
{
  if [[ "${HADOOP_SUBCMD_SUPPORTDAEMONIZATION:-false}" != true ]]; then
    HADOOP_OPTS+=" ${HADOOP_CLIENT_OPTS:-}"
  fi
}

# What the user adds is last, or before everything else, in its own order.
function hadoop_add_to_classpath_userpath
{
  local entry where=after
  local -a entries=()
  # Unquoted there, too: a wildcard in HADOOP_CLASSPATH becomes the files.
  for entry in $(echo "${HADOOP_CLASSPATH:-}" | tr : '\n'); do
    if [[ -n "${HADOOP_USER_CLASSPATH_FIRST:-}" ]]; then
      where=before
      entries=("${entry}" "${entries[@]}")
    else
      entries+=("${entry}")
    fi
  done
  for entry in "${entries[@]}"; do
    hadoop_add_classpath "${entry}" "${where}" || true
  done
}

function hadoop_finalize
{
  hadoop_shellprofiles_call finalize
  hadoop_add_classpath "${HADOOP_CONF_DIR}" before || true
  hadoop_add_to_classpath_userpath
  # A number without a unit is one of megabytes.
  if [[ -n "${HADOOP_HEAPSIZE_MAX:-}" ]]; then
    hadoop_add_param HADOOP_OPTS Xmx "-Xmx${HADOOP_HEAPSIZE_MAX}$([[ ! ${HADOOP_HEAPSIZE_MAX} =~ ^[0-9]+$ ]] || echo m)"
  fi
  if [[ -n "${HADOOP_HEAPSIZE_MIN:-}" ]]; then
    hadoop_add_param HADOOP_OPTS Xms "-Xms${HADOOP_HEAPSIZE_MIN}$([[ ! ${HADOOP_HEAPSIZE_MIN} =~ ^[0-9]+$ ]] || echo m)"
  fi
  hadoop_add_param HADOOP_OPTS hadoop.log.dir "-Dhadoop.log.dir=${HADOOP_LOG_DIR}"
  hadoop_add_param HADOOP_OPTS hadoop.log.file "-Dhadoop.log.file=${HADOOP_LOGFILE}"
  hadoop_add_param HADOOP_OPTS hadoop.home.dir "-Dhadoop.home.dir=${HADOOP_HOME}"
  hadoop_add_param HADOOP_OPTS hadoop.id.str "-Dhadoop.id.str=${HADOOP_IDENT_STRING}"
  hadoop_add_param HADOOP_OPTS hadoop.root.logger "-Dhadoop.root.logger=${HADOOP_ROOT_LOGGER}"
}

function hadoop_java_exec
{
  local command=$1 class=$2
  shift 2
  export CLASSPATH
  # shellcheck disable=SC2086
  exec "${JAVA}" "-Dproc_${command}" ${HADOOP_OPTS} "${class}" "$@"
}

function hadoop_start_daemon
{
  local command=$1 class=$2 pidfile=$3
  shift 3
  if ! echo "${BASHPID}" 2>/dev/null >"${pidfile}"; then
    hadoop_error "ERROR: Cannot write ${command} pid ${pidfile}."
  fi
  hadoop_java_exec "${command}" "${class}" "$@"
}

# A process of another user counts, too.
function hadoop_status_daemon
{
  [[ -f "$1" ]] || return 3
  ps -p "$(cat "$1")" >/dev/null 2>&1 || return 1
}

# In both modes that start something.
function hadoop_verify_not_running
{
  if hadoop_status_daemon "$2"; then
    hadoop_error "$1 is running as process $(cat "$2").  Stop it first and ensure $2 file is empty before retry."
    exit 1
  fi
  rm -f -- "$2"
}

function hadoop_daemon_handler
{
  local mode=$1 command=$2 class=$3 pidfile=$4 outfile=$5 waited=0 pid
  shift 5
  case ${mode} in
    default)
      hadoop_verify_folder "${HADOOP_PID_DIR}"
      hadoop_verify_folder "${HADOOP_LOG_DIR}"
      hadoop_verify_not_running "${command}" "${pidfile}"
      hadoop_start_daemon "${command}" "${class}" "${pidfile}" "$@"
      ;;
    status)
      hadoop_status_daemon "${pidfile}"
      exit $?
      ;;
    stop)
      if [[ ! -f "${pidfile}" ]]; then
        return 0
      fi
      pid=$(cat "${pidfile}")
      kill "${pid}" 2>/dev/null || true
      while kill -0 "${pid}" 2>/dev/null && (( waited++ < HADOOP_STOP_TIMEOUT * 10 )); do
        sleep 0.1
      done
      if kill -0 "${pid}" 2>/dev/null; then
        hadoop_error "WARNING: ${command} did not stop gracefully after ${HADOOP_STOP_TIMEOUT} seconds: Trying to kill with kill -9"
        kill -9 "${pid}" 2>/dev/null || true
      fi
      rm -f "${pidfile}"
      ;;
    start)
      hadoop_verify_folder "${HADOOP_PID_DIR}"
      hadoop_verify_folder "${HADOOP_LOG_DIR}"
      hadoop_verify_not_running "${command}" "${pidfile}"
      hadoop_start_daemon "${command}" "${class}" "${pidfile}" "$@" >>"${outfile}" 2>&1 </dev/null &
      pid=$!
      sleep 1
      echo "${pid}" >"${pidfile}"
      disown "${pid}" 2>/dev/null || true
      kill -0 "${pid}" 2>/dev/null
      ;;
  esac
}

function hadoop_generic_java_subcmd_handler
{
  local outfile=${HADOOP_LOG_DIR}/hadoop-${HADOOP_IDENT_STRING}-${HADOOP_SUBCMD}-${HOSTNAME}.out
  local pidfile=${HADOOP_PID_DIR}/hadoop-${HADOOP_IDENT_STRING}-${HADOOP_SUBCMD}.pid
  if [[ "${HADOOP_DAEMON_MODE}" != default ]]; then
    HADOOP_ROOT_LOGGER=${HADOOP_DAEMON_ROOT_LOGGER}
    HADOOP_LOGFILE=hadoop-${HADOOP_IDENT_STRING}-${HADOOP_SUBCMD}-${HOSTNAME}.log
  fi
  hadoop_finalize
  if [[ "${HADOOP_SUBCMD_SUPPORTDAEMONIZATION:-false}" = true ]]; then
    hadoop_daemon_handler "${HADOOP_DAEMON_MODE}" "${HADOOP_SUBCMD}" "${HADOOP_CLASSNAME}" "${pidfile}" "${outfile}" \
      "${HADOOP_SUBCMD_ARGS[@]}"
    exit $?
  fi
  hadoop_java_exec "${HADOOP_SUBCMD}" "${HADOOP_CLASSNAME}" "${HADOOP_SUBCMD_ARGS[@]}"
}
