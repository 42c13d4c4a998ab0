/**
 * Real HDFS clusters for tests, benchmarks and the demo: every server is a separate JVM that runs a stock main class of Hadoop, with only
 * properties and our jars added.
 *
 * <p>Entry class: {@link io.trefoil.it.cluster.HaCluster}, made by {@link io.trefoil.it.cluster.HaCluster#builder}.
 * Which journal carries the edits is a {@link io.trefoil.it.cluster.layout.JournalKind}.
 */
package io.trefoil.it.cluster;
