/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.load;

/** The loads of subtrees in JMX, and on the page {@code /jmx} of the NameNode. */
public interface SubtreeLoadMXBean {

    /**
     * The calls of the last minutes, all and by subtree, as a JSON document:
     *
     * <ul>
     *   <li>{@code seconds}: over how long they were counted
     *   <li>{@code depth}: how many names of a path are counted
     *   <li>{@code reads}, {@code changes}: all calls with a path
     *   <li>{@code error}: by how much the count of a subtree may be wrong at most
     *   <li>{@code subtrees}: the heaviest, each with {@code path}, {@code reads}, {@code changes}
     * </ul>
     */
    String getLoads();
}
