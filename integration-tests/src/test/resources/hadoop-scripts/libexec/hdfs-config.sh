#!/usr/bin/env bash
# Copyright The Trefoil Authors
# SPDX-License-Identifier: Apache-2.0
#
# Stands in for Hadoop's hdfs-config.sh and hadoop-config.sh; see README.md. The order is theirs: a profile may count on it.

HADOOP_LIBEXEC_DIR=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" >/dev/null && pwd -P)
export HADOOP_HOME=${HADOOP_HOME:-$(cd -P -- "${HADOOP_LIBEXEC_DIR}/.." && pwd -P)}
HADOOP_SUBCMD_USAGE=()
export HADOOP_OPTS=${HADOOP_OPTS:--Djava.net.preferIPv4Stack=true}
# shellcheck source=SCRIPTDIR/hadoop-functions.sh
. "${HADOOP_LIBEXEC_DIR}/hadoop-functions.sh"

# shellcheck disable=SC2034
HADOOP_USER_PARAMS=("$@")
hadoop_parse_args "$@"
shift "${HADOOP_PARSE_COUNTER}"

export HADOOP_CONF_DIR=${HADOOP_CONF_DIR:-${HADOOP_HOME}/etc/hadoop}
hadoop_exec_hadoopenv
hadoop_import_shellprofiles
hadoop_source_if_there "${HADOOP_CONF_DIR}/hadoop-user-functions.sh"
hadoop_source_if_there "${HOME:-/nowhere}/.hadoop-env"
hadoop_verify_confdir
hadoop_java_setup
hadoop_basic_init
if [[ -z "${HADOOP_HDFS_ENV_PROCESSED:-}" && -e "${HADOOP_CONF_DIR}/hdfs-env.sh" ]]; then
  hadoop_source_if_there "${HADOOP_CONF_DIR}/hdfs-env.sh"
  export HADOOP_HDFS_ENV_PROCESSED=true
fi
export HADOOP_HDFS_HOME=${HADOOP_HDFS_HOME:-${HADOOP_HOME}}
export HDFS_NAMENODE_OPTS=${HDFS_NAMENODE_OPTS:--Dhadoop.security.logger=INFO,RFAS}
export HDFS_DATANODE_OPTS=${HDFS_DATANODE_OPTS:--Dhadoop.security.logger=ERROR,RFAS}
hadoop_shellprofiles_call init
hadoop_shellprofiles_call nativelib
hadoop_add_classpath "${HADOOP_HOME}/share/hadoop/common/lib/*" || true
hadoop_add_classpath "${HADOOP_HOME}/share/hadoop/common/*" || true
hadoop_shellprofiles_call classpath
hadoop_source_if_there "${HOME:-/nowhere}/.hadooprc"
