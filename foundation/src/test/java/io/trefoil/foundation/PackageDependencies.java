/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which package of a module knows which others of it: a line for each, {@code that one: these others}, without what all begin with. */
public final class PackageDependencies {

    private PackageDependencies() {}

    /** @param root what all begin with, with its dot */
    public static Map<String, Set<String>> collectFrom(JavaClasses code, String root) {
        Map<String, Set<String>> known = new TreeMap<>();
        for (JavaClass one : code) {
            for (Dependency dependency : one.getDirectDependenciesFromSelf()) {
                String here = one.getPackageName();
                String there = dependency.getTargetClass().getPackageName();
                if (here.startsWith(root) && there.startsWith(root) && !there.equals(here)) {
                    known.computeIfAbsent(here.substring(root.length()), name -> new TreeSet<>())
                            .add(there.substring(root.length()));
                }
            }
        }
        return known;
    }

    /** As a test writes it. */
    public static Map<String, Set<String>> parse(String lines) {
        Map<String, Set<String>> known = new TreeMap<>();
        lines.lines().forEach(line -> {
            int colon = line.indexOf(':');
            known.put(
                    line.substring(0, colon),
                    new TreeSet<>(Set.of(line.substring(colon + 2).split(" "))));
        });
        return known;
    }
}
