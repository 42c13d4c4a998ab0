#!/usr/bin/env bash
# Copyright The Trefoil Authors
# SPDX-License-Identifier: Apache-2.0
#
# Shell profile of Hadoop 3. Link it, do not copy it:
#   ln -s /opt/trefoil/conf/shellprofile.d/trefoil.sh $HADOOP_CONF_DIR/shellprofile.d/
#
# It adds our jars to the class path of Hadoop's commands, the subcommands "hdfs trefoil" and "hdfs poolnode", keeps the pool node
# of a NameNode up when that fails, and a ZKFC from starting where the NameNodes need none. docs/operating/command.md says more.

# The link leads home. Whoever copied this file names the home in hadoop-env.sh, which Hadoop reads before its profiles.
if [[ -z "${TREFOIL_HOME:-}" ]]; then
  TREFOIL_HOME=$(cd -P -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.." >/dev/null && pwd -P)
fi

hadoop_add_profile trefoil

if [[ "${HADOOP_SHELL_EXECNAME:-}" = hdfs ]]; then
  hadoop_add_subcommand "poolnode" daemon "run a pool node of ssp:// journals"
  hadoop_add_subcommand "trefoil" admin "look after ssp:// journals, failover and checkpoints"
fi

# Called for daemons and clients alike, before Hadoop looks which subcommand it is: all that "hdfs" runs gets what servers
# need, and that includes the client. The other commands, hadoop, mapred and yarn, are clients.
function _trefoil_hadoop_classpath
{
  local jars=client lib=lib libraries="${HADOOP_COMMON_HOME:-}/${HADOOP_COMMON_LIB_JARS_DIR:-share/hadoop/common/lib}"
  # Hadoop 3.1 and 3.2 have no other protobuf than Google's, under its own name. What a vendor calls his Hadoop says less.
  if compgen -G "${libraries}/protobuf-java-2*.jar" >/dev/null &&
    ! compgen -G "${libraries}/hadoop-shaded-protobuf*.jar" >/dev/null; then
    lib=lib/hadoop-3.1
  fi
  if [[ "${HADOOP_SHELL_EXECNAME:-}" = hdfs ]]; then
    jars=server
  fi
  if [[ ! -d "${TREFOIL_HOME}/${lib}/${jars}" ]]; then
    hadoop_error "WARNING: no jars of Trefoil in ${TREFOIL_HOME}/${lib}/${jars}: set TREFOIL_HOME in hadoop-env.sh"
    return 0
  fi
  hadoop_add_classpath "${TREFOIL_HOME}/${lib}/${jars}/*"
}

# Options of the JVM come from HDFS_TREFOIL_OPTS and HDFS_POOLNODE_OPTS, as for every subcommand.
# shellcheck disable=SC2034 # Hadoop's scripts read these variables.
function hdfs_subcommand_trefoil
{
  HADOOP_CLASSNAME=io.trefoil.tools.hdfs.TrefoilMain
  # "init --hosts" calls the same command on other hosts.
  export HADOOP_SSH_OPTS HADOOP_HDFS_HOME HADOOP_CONF_DIR TREFOIL_HOME
  # What the command has to say is its output. "hdfs --loglevel INFO" or another HADOOP_ROOT_LOGGER show more than warnings.
  if [[ "${HADOOP_ROOT_LOGGER:-INFO,console}" = INFO,console && " ${HADOOP_USER_PARAMS[*]:-} " != *" --loglevel "* ]]; then
    HADOOP_ROOT_LOGGER=WARN,console
  fi
}

# shellcheck disable=SC2034
function hdfs_subcommand_poolnode
{
  HADOOP_SUBCMD_SUPPORTDAEMONIZATION=true
  HADOOP_CLASSNAME=io.trefoil.journal.hdfs.PoolNodeMain
}

# Takes the place of Hadoop's own, for a NameNode that is to serve: a keeper runs it, and its pool node in its place while it
# cannot run (docs/design/keeper.md). Hadoop's scripts do all else as ever, with the keeper in place of java: the pid file has the
# keeper's id. What starts with an argument, such as -format, is left alone.
function hdfs_subcommand_namenode
{
  local keeper="${TREFOIL_HOME}/bin/namenode-keeper" before="${HADOOP_OPTS:-}" logger="" logfile=""
  hdfscmd_case namenode "$@"
  case "${HADOOP_DAEMON_MODE:-default}" in
    stop | status) return 0 ;;
    start)
      logger="${HADOOP_DAEMON_ROOT_LOGGER:-INFO,RFA}"
      logfile="hadoop-${HADOOP_IDENT_STRING:-}-poolnode-${HOSTNAME:-}.log"
      ;;
  esac
  if [[ $# -gt 0 || ! -x "${keeper}" || -z "${JAVA:-}" ]]; then
    return 0
  fi
  # The pool node gets what this script had before it looked which subcommand it is: no heap and no ports of the NameNode's.
  local -a as_here=(env "HADOOP_OPTS=${before}" "JAVA_HOME=${JAVA_HOME:-}" "HADOOP_LOG_DIR=${HADOOP_LOG_DIR:-}"
    "HADOOP_IDENT_STRING=${HADOOP_IDENT_STRING:-}") hdfs=("${HADOOP_HDFS_HOME}/bin/hdfs" --config "${HADOOP_CONF_DIR}")
  TREFOIL_POOL_NODE_COMMAND=$(printf '%q ' "${as_here[@]}" "HDFS_POOLNODE_OPTS=${HDFS_POOLNODE_OPTS:-}" \
    ${logger:+"HADOOP_ROOT_LOGGER=${logger}" "HADOOP_LOGFILE=${logfile}"} "${hdfs[@]}" poolnode --in-place-of-namenode)
  TREFOIL_RENEW_COMMAND=$(printf '%q ' "${as_here[@]}" "${hdfs[@]}" trefoil renew --or-own)
  export TREFOIL_POOL_NODE_COMMAND TREFOIL_RENEW_COMMAND TREFOIL_JAVA="${JAVA}"
  JAVA="${keeper}"
}

# Takes the place of Hadoop's own. start-dfs.sh starts a ZKFC beside every NameNode where dfs.ha.automatic-failover.enabled is
# true. Beside our agent it would quarrel over who is active, and take the port that a NameNode answers "haadmin -failover" at.
# One that runs can still be stopped and asked for.
function hdfs_subcommand_zkfc
{
  local plugins=""
  case "${HADOOP_DAEMON_MODE:-default}" in
    stop | status) ;;
    *) plugins=$("${HADOOP_HDFS_HOME}/bin/hdfs" --config "${HADOOP_CONF_DIR}" getconf -confKey dfs.namenode.plugins 2>/dev/null) || true ;;
  esac
  if [[ "${plugins}" = *io.trefoil.ha.hdfs.MamsPlugin* ]]; then
    hadoop_error "zkfc not run: with MamsPlugin in dfs.namenode.plugins, NameNodes fail over by themselves"
    # Nothing failed: start-dfs.sh goes on, and tools that format ZooKeeper for a ZKFC do, too.
    exit 0
  fi
  hdfscmd_case zkfc "$@"
}
