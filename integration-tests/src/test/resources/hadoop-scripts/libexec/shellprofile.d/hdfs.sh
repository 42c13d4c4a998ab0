#!/usr/bin/env bash
# Copyright The Trefoil Authors
# SPDX-License-Identifier: Apache-2.0
#
# Stands in for the profile with which HDFS adds itself to the class path of all commands; see ../../README.md.

hadoop_add_profile hdfs

function _hdfs_hadoop_classpath
{
  hadoop_add_classpath "${HADOOP_HDFS_HOME}/share/hadoop/hdfs" || true
  hadoop_add_classpath "${HADOOP_HDFS_HOME}/share/hadoop/hdfs/lib/*" || true
  hadoop_add_classpath "${HADOOP_HDFS_HOME}/share/hadoop/hdfs/*" || true
}
