/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import io.trefoil.foundation.EditDistance;
import io.trefoil.tools.cluster.HostPlan;
import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Checks whether the class path of {@code hdfs} has the classes that the configuration names, once and in one version. */
final class ClassesCheck implements Check {
    private static final String OURS = "io.trefoil.";
    /** Our classes that settings name. */
    private static final List<String> CONFIGURABLE_CLASSES = Arrays.asList(
            "io.trefoil.checkpoint.hdfs.CheckpointPlugin",
            "io.trefoil.client.hdfs.SmartFailoverProxyProvider",
            "io.trefoil.client.hdfs.SmartObserverReadProxyProvider",
            "io.trefoil.ha.hdfs.MamsPlugin",
            "io.trefoil.journal.hdfs.SspJournalManager",
            "io.trefoil.journal.hdfs.SspTailingPlugin");

    private final ClassLoader loader;

    ClassesCheck(ClassLoader loader) {
        this.loader = loader;
    }

    @Override
    public String name() {
        return "classes";
    }

    @Override
    public List<PreflightFinding> check(HostPlan plan) {
        List<PreflightFinding> findings = new ArrayList<>();
        Set<String> directories = new TreeSet<>();
        for (Map.Entry<String, String> named : plan.classes().entrySet()) {
            String name = named.getKey();
            List<URL> places = locationsOf(name);
            if (places.isEmpty()) {
                findings.add(PreflightFinding.problem(
                        name + " (" + named.getValue() + ") is not on the class path", remedyFor(name)));
            } else if (places.size() > 1) {
                findings.add(PreflightFinding.problem(
                        name + " is on the class path several times: " + places, "remove the older jars"));
            } else {
                findings.add(PreflightFinding.ok(name + " is on the class path"));
            }
            if (name.startsWith(OURS)) {
                places.forEach(place -> directories.add(place.toString().replaceFirst("[^/]*\\.jar!.*", "")));
            }
        }
        if (directories.size() > 1 && directories.stream().allMatch(directory -> directory.startsWith("jar:"))) {
            findings.add(PreflightFinding.problem(
                    "our jars are in several directories: " + directories,
                    "leave those of one release on the class path"));
        }
        return findings;
    }

    /** The remedy for a missing class; one of ours is misspelled, not missing, if other classes of its jar are present. */
    private String remedyFor(String name) {
        if (!name.startsWith(OURS)) {
            return "put its jar on the class path of hdfs";
        }
        String nearest = CONFIGURABLE_CLASSES.stream()
                .min(Comparator.comparingInt(known -> EditDistance.between(known, name)))
                .orElse(name);
        return nearest.equals(name) || locationsOf(nearest).isEmpty()
                ? "link the shell profile into $HADOOP_CONF_DIR/shellprofile.d"
                : "correct the name: the nearest that there is is " + nearest;
    }

    private List<URL> locationsOf(String name) {
        try {
            return Collections.list(loader.getResources(name.replace('.', '/') + ".class"));
        } catch (IOException e) {
            return Collections.emptyList();
        }
    }
}
