/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a package uses of Hadoop, beside what a section of docs/design/hadoop-seam.md lists. */
public final class HadoopUse {
    private static final Path PAGE = Path.of("../docs/design/hadoop-seam.md");
    private static final Pattern ROW = Pattern.compile("^\\| `([A-Za-z0-9.]+)` \\| ([^|]*) \\|", Pattern.MULTILINE);
    private static final Pattern MEMBER = Pattern.compile("`([^`]+)`");
    private static final Set<String> ENUM_METHODS = Set.of("ordinal", "toString", "valueOf", "values");

    private HadoopUse() {}

    /** Fails unless a section lists every member of Hadoop that the main code of packages uses, and no other. */
    public static void assertListed(String heading, String... packages) throws IOException {
        assertThat(listedMembers(heading))
                .as("what docs/design/hadoop-seam.md lists")
                .isEqualTo(usedMembers(packages));
    }

    private static Map<String, Set<String>> listedMembers(String heading) throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf("## " + heading + "\n");
        assertThat(begin).as("where section '" + heading + "' begins").isNotNegative();
        int end = page.indexOf("\n## ", begin);
        String calls = end < 0 ? page.substring(begin) : page.substring(begin, end);
        Map<String, Set<String>> members = new TreeMap<>();
        Matcher row = ROW.matcher(calls);
        while (row.find()) {
            Set<String> names = MEMBER.matcher(row.group(2))
                    .results()
                    .map(result -> result.group(1))
                    .collect(Collectors.toCollection(TreeSet::new));
            members.computeIfAbsent(row.group(1), name -> new TreeSet<>()).addAll(names);
        }
        return members;
    }

    private static Map<String, Set<String>> usedMembers(String... packages) {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(new DoNotIncludeTests())
                // Those of other modules are in jars when Maven has packed them.
                .withImportOption(location -> !location.contains("-tests.jar"))
                .importPackages(packages);
        Map<String, Set<String>> members = new TreeMap<>();
        for (JavaClass ours : classes) {
            for (JavaAccess<?> access : ours.getAccessesFromSelf()) {
                AccessTarget target = access.getTarget();
                JavaClass owner = target.getOwner();
                if (!ENUM_METHODS.contains(target.getName())
                        && owner.getPackageName().startsWith("org.apache.hadoop")) {
                    members.computeIfAbsent(nameOf(owner), name -> new TreeSet<>())
                            .add(target.getName().replace("<init>", "new"));
                }
            }
        }
        return members;
    }

    /** The name without its package, with the class around it. */
    private static String nameOf(JavaClass owner) {
        String[] parts = owner.getName().split("\\.");
        return parts[parts.length - 1].replace('$', '.');
    }
}
