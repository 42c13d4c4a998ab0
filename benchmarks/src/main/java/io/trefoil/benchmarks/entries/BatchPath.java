/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.entries;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The method entries of one batch, averaged over many. A method that is entered less than once in two batches is not on the way:
 * a timer, a heartbeat, the tail of an earlier batch.
 */
record BatchPath(Map<String, Long> entriesByMethod) {
    BatchPath {
        entriesByMethod = Map.copyOf(entriesByMethod);
    }

    /** @param counts entries of methods, each {@code class.method}, during all of these batches */
    static BatchPath of(Map<String, Long> counts, int batches) {
        Map<String, Long> each = new TreeMap<>();
        counts.forEach((method, count) -> {
            long mean = Math.round((double) count / batches);
            if (mean > 0) {
                each.put(method, mean);
            }
        });
        return new BatchPath(each);
    }

    /** The part in packages whose names have a prefix. */
    BatchPath inPackages(List<String> packages) {
        Map<String, Long> part = new TreeMap<>(entriesByMethod);
        part.keySet().removeIf(method -> packages.stream().noneMatch(method::startsWith));
        return new BatchPath(part);
    }

    long entries() {
        return entriesByMethod.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The entries of generated values and messages: their accessors, comparisons and builders. */
    long valueEntries() {
        return entriesByMethod.entrySet().stream()
                .filter(entry -> isValue(entry.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private static boolean isValue(String method) {
        return method.contains(".AutoValue_") || method.contains(".proto.") || method.contains("Protos$");
    }

    /** The outermost classes, by full name. */
    Set<String> classes() {
        Set<String> classes = new TreeSet<>();
        for (String method : entriesByMethod.keySet()) {
            classes.add(outermostClass(method.substring(0, method.lastIndexOf('.'))));
        }
        return classes;
    }

    /** The name of a class, under which AutoValue's generated subclass is counted as well. */
    private static String outermostClass(String type) {
        String simple = type.substring(type.lastIndexOf('.') + 1);
        String written = simple.startsWith("AutoValue_") ? simple.substring("AutoValue_".length()) : simple;
        return type.substring(0, type.length() - simple.length()) + written.split("[_$]", 2)[0];
    }

    Set<String> packages() {
        Set<String> packages = new TreeSet<>();
        classes().forEach(type -> packages.add(type.substring(0, type.lastIndexOf('.'))));
        return packages;
    }

    /** The methods that are entered most, in descending order. */
    List<Map.Entry<String, Long>> topMethods(int methods) {
        List<Map.Entry<String, Long>> all = new ArrayList<>(new TreeMap<>(entriesByMethod).entrySet());
        all.sort(Map.Entry.<String, Long>comparingByValue().reversed());
        return all.subList(0, Math.min(methods, all.size()));
    }
}
