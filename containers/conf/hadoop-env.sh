# Copyright The Trefoil Authors
# SPDX-License-Identifier: Apache-2.0
#
# Options of all JVMs of a container; HDFS_NAMENODE_OPTS and HADOOP_HEAPSIZE_MAX come from the environment.
# shellcheck shell=bash

# Hadoop 3.4 on Java 17; 3.5 opens them by itself.
for package in lang lang.reflect util util.concurrent net io nio text; do
  HADOOP_OPTS="${HADOOP_OPTS:-} --add-opens=java.base/java.$package=ALL-UNNAMED"
done
export HADOOP_OPTS="$HADOOP_OPTS --add-opens=java.base/sun.nio.ch=ALL-UNNAMED"
