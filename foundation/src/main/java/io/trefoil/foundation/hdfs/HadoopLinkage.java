/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import io.trefoil.foundation.linkage.LinkCheck;
import io.trefoil.foundation.linkage.MissingMember;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.hadoop.util.VersionInfo;

/**
 * Checks whether this process's Hadoop has every member that our jars use.
 *
 * <p>Asked when a server starts: a missing member would otherwise end whatever thread meets it first, perhaps in the middle
 * of a failover. Only class files are read, which takes a tenth of a second, and only once for each instance. Any thread.
 *
 * <p>Uses {@code VersionInfo.getVersion}.
 */
public final class HadoopLinkage {
    /**
     * The parts of package names that mark where a jar may use Hadoop and its libraries; all other classes link only to the JDK and to
     * ours.
     */
    private static final String[] SEAMS = {".hdfs.", ".zk.", ".transport.", "org.apache.hadoop."};

    private final List<Class<?>> types;
    private final Predicate<String> classes;
    private final Set<String> replaceable;
    private volatile boolean complete;

    /**
     * @param type any class of the jar
     * @param replaceable members, as Java writes them, for which the code has something else where they are missing
     */
    public HadoopLinkage(Class<?> type, String... replaceable) {
        this(Collections.singletonList(type), HadoopLinkage::isCompatibilitySeam, replaceable);
    }

    private HadoopLinkage(List<Class<?>> types, Predicate<String> classes, String... replaceable) {
        this.types = types;
        this.classes = classes;
        this.replaceable = Collections.unmodifiableSet(new HashSet<>(Arrays.asList(replaceable)));
    }

    /** Returns the links of a jar and of this one, for the code that runs first in every server. */
    public static HadoopLinkage withFoundation(Class<?> type) {
        return new HadoopLinkage(Arrays.asList(HadoopLinkage.class, type), HadoopLinkage::isCompatibilitySeam);
    }

    /**
     * Returns the links of a part of a jar, for servers that need only that part.
     *
     * @param type any class of the jar
     * @param packages where the part's classes are, and whatever is below
     */
    public static HadoopLinkage ofPackages(Class<?> type, Collection<String> packages, String... replaceable) {
        return new HadoopLinkage(
                Collections.singletonList(type),
                name -> packages.stream().anyMatch(prefix -> name.startsWith(prefix + ".")),
                replaceable);
    }

    /**
     * Returns if no member is missing; throws otherwise.
     *
     * @throws IllegalStateException if something is missing; its message says what, for whom, and what to do
     */
    public void requireComplete() {
        if (complete) {
            return;
        }
        SortedSet<MissingMember> missing = missingMembers();
        if (!missing.isEmpty()) {
            throw new IllegalStateException("This is Hadoop " + VersionInfo.getVersion() + ", which lacks "
                    + missing.first() + (missing.size() == 1 ? "" : ", and " + (missing.size() - 1) + " more")
                    + ". Trefoil runs on Apache Hadoop 3.1.4 to 3.5.0; "
                    + (missing.stream().anyMatch(HadoopLinkage::isRelocatedProtobuf)
                            ? "with 3.1 and 3.2 the jars of lib/hadoop-3.1 belong on the class path, with newer ones those"
                                    + " beside it"
                            : "'hdfs trefoil preflight --linkage' lists what is missing on this host"));
        }
        complete = true;
    }

    /** Whether a missing member is protobuf's, which Hadoop 3.1 and 3.2 have under Google's own name, and newer ones under another. */
    private static boolean isRelocatedProtobuf(MissingMember missing) {
        return missing.member().contains("protobuf.") || missing.member().contains("ProtobufRpcEngine");
    }

    /** The members that are missing and cannot be replaced, sorted by name; empty if none is missing. */
    public SortedSet<MissingMember> missingMembers() {
        SortedSet<MissingMember> needed = new TreeSet<>();
        for (Class<?> type : types) {
            Path jar = LinkCheck.jarOf(type);
            try {
                for (MissingMember each : new LinkCheck(type.getClassLoader()).findMissing(jar, classes)) {
                    if (!replaceable.contains(each.member())) {
                        needed.add(each);
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + jar, e);
            }
        }
        return needed;
    }

    private static boolean isCompatibilitySeam(String className) {
        for (String seam : SEAMS) {
            if (className.contains(seam)) {
                return true;
            }
        }
        return false;
    }
}
