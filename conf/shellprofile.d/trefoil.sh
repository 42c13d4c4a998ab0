#!/usr/bin/env bash
# Shell profile of Hadoop 3: adds the command "hdfs trefoil", and the jars in $TREFOIL_HOME/lib if that is set.
# Goes to $HADOOP_CONF_DIR/shellprofile.d; docs/operating/command.md says more.

if [[ "${HADOOP_SHELL_EXECNAME}" = hdfs ]]; then
  hadoop_add_subcommand "trefoil" client "look after the journals behind ssp:// URIs"
fi

hadoop_add_profile trefoil

# Called by Hadoop's scripts, for daemons and clients alike.
function _trefoil_hadoop_classpath
{
  local jar
  if [[ -z "${TREFOIL_HOME:-}" ]]; then
    # The jar is where Hadoop's own are.
    return
  fi
  for jar in "${TREFOIL_HOME}"/lib/*.jar; do
    if [[ -f "${jar}" ]]; then
      hadoop_add_classpath "${jar}"
    fi
  done
}

# Called by bin/hdfs when somebody types "hdfs trefoil".
function hdfs_subcommand_trefoil
{
  # shellcheck disable=SC2034
  HADOOP_CLASSNAME=io.trefoil.tools.hdfs.TrefoilMain
}
