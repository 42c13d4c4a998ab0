/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.linkage;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Resolves the uses in class files against the classes that a class loader would find.
 *
 * <p>Found are classes that are not there, methods and fields that neither a class nor its parents declare, members
 * that the user may not access, and methods that a parent demands and no class implements. Parts of the JDK count as
 * there. A class whose parents are not all there counts as having every member: what is missing is the parent, and the
 * class that names it is reported.
 *
 * <p>Not thread-safe; keeps what it has read.
 */
public final class LinkCheck {
    private static final String SUFFIX = ".class";
    /** The annotations of our build, which class files name, but no code loads. */
    private static final String BUILD_ONLY = "com/google/auto/value/";

    private final ClassLoader libraries;
    private final Map<String, Optional<ClassFile>> read = new HashMap<>();

    /** @param libraries only its resources are read */
    public LinkCheck(ClassLoader libraries) {
        this.libraries = libraries;
    }

    /**
     * The members that the classes of a jar or directory use but do not find.
     *
     * @param isChecked whether to check the class of this full name; classes of parts that are switched off need no
     *     library
     * @throws IOException if the jar cannot be read
     */
    public SortedSet<MissingMember> findMissing(Path jar, Predicate<String> isChecked) throws IOException {
        SortedSet<MissingMember> missing = new TreeSet<>();
        for (ClassFile classFile : readClasses(jar, isChecked)) {
            addMissing(classFile, missing);
        }
        return missing;
    }

    /**
     * The methods of a jar's classes that override one of a library's, as {@code Class.method(Parameter)}. One that is missing with another
     * release of the library is never called there.
     *
     * @throws IOException if the jar cannot be read
     */
    public SortedSet<String> findOverrides(Path jar) throws IOException {
        SortedSet<String> overrides = new TreeSet<>();
        for (ClassFile classFile : readClasses(jar, name -> true)) {
            for (MemberUse method : new InheritedMethods(this::find, classFile).overriddenMethods()) {
                if (isNeeded(method.owner())) {
                    overrides.add(MemberUse.of(classFile.name(), method.nameAndDescriptor())
                            .toString());
                }
            }
        }
        return overrides;
    }

    /**
     * Whether the code of a library's class uses a member of this name.
     *
     * @throws IllegalArgumentException if there is no such class
     */
    public boolean isUsedBy(String className, String member) {
        return find(className.replace('.', '/'))
                .orElseThrow(() -> new IllegalArgumentException("There is no class " + className))
                .usedMembers()
                .stream()
                .anyMatch(use -> use.name().equals(member));
    }

    /** The jar or directory that a class was loaded from. */
    public static Path jarOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null) {
            throw new IllegalArgumentException(type.getName() + " is a class of the JDK");
        }
        URL location = source.getLocation();
        try {
            return Paths.get(location.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(type.getName() + " comes from " + location + ", which is no file", e);
        }
    }

    private void addMissing(ClassFile classFile, SortedSet<MissingMember> missing) {
        String user = toJavaName(classFile.name());
        for (String used : classFile.usedClasses()) {
            if (isNeeded(used) && !find(used).isPresent()) {
                missing.add(MissingMember.of(user, toJavaName(used)));
            }
        }
        for (MemberUse use : classFile.usedMembers()) {
            if (isNeeded(use.owner()) && find(use.owner()).isPresent() && !isResolved(use, classFile.name())) {
                missing.add(MissingMember.of(user, use.toString()));
            }
        }
        for (MemberUse demanded : new InheritedMethods(this::find, classFile).unimplementedMethods()) {
            missing.add(MissingMember.of(user, "any implementation of " + demanded));
        }
    }

    private boolean isResolved(MemberUse use, String user) {
        return findDeclaringClass(use.owner(), use)
                .map(declaring -> !declaring.declares(use) || !declaring.isInaccessibleFrom(user, use))
                .orElse(false);
    }

    /** The class or parent that declares a member, or a class for which the declaration cannot be determined; empty if none declares it. */
    private Optional<ClassFile> findDeclaringClass(String owner, MemberUse use) {
        Optional<ClassFile> file = find(owner);
        if (!file.isPresent() || file.get().declares(use)) {
            return file;
        }
        for (String parent : file.get().parents()) {
            if (!find(parent).isPresent()) {
                return file;
            }
            Optional<ClassFile> inherited = findDeclaringClass(parent, use);
            if (inherited.isPresent()) {
                return inherited;
            }
        }
        return Optional.empty();
    }

    private static boolean isJdkClass(String name) {
        return name.startsWith("java/")
                || name.startsWith("javax/")
                || name.startsWith("sun/")
                || name.startsWith("org/ietf/");
    }

    private static boolean isNeeded(String name) {
        return !isJdkClass(name) && !name.startsWith(BUILD_ONLY);
    }

    private Optional<ClassFile> find(String name) {
        Optional<ClassFile> known = read.get(name);
        if (known == null) {
            known = load(name);
            read.put(name, known);
        }
        return known;
    }

    private Optional<ClassFile> load(String name) {
        try (InputStream in = libraries.getResourceAsStream(name + ".class")) {
            return in == null ? Optional.empty() : Optional.of(ClassFile.parse(readFully(in)));
        } catch (IOException e) {
            throw new IllegalArgumentException("The class " + toJavaName(name) + " cannot be read from its jar", e);
        }
    }

    private static byte[] readFully(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            bytes.write(buffer, 0, count);
        }
        return bytes.toByteArray();
    }

    private static List<ClassFile> readClasses(Path jar, Predicate<String> isChecked) throws IOException {
        return Files.isDirectory(jar) ? readClassesUnder(jar, isChecked) : readClassesOfJar(jar, isChecked);
    }

    private static List<ClassFile> readClassesUnder(Path directory, Predicate<String> isChecked) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(directory)) {
            files = all.filter(file -> isClass(directory.relativize(file).toString(), isChecked))
                    .collect(Collectors.toList());
        }
        List<ClassFile> classes = new ArrayList<>(files.size());
        for (Path file : files) {
            classes.add(ClassFile.parse(Files.readAllBytes(file)));
        }
        return classes;
    }

    /** Parses the classes of a jar without a zip file system, as small Java runtimes lack the module for that. */
    private static List<ClassFile> readClassesOfJar(Path jar, Predicate<String> isChecked) throws IOException {
        List<ClassFile> classes = new ArrayList<>();
        try (ZipFile contents = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : Collections.list(contents.entries())) {
                if (isClass(entry.getName(), isChecked)) {
                    classes.add(ClassFile.parse(readFully(contents.getInputStream(entry))));
                }
            }
        }
        return classes;
    }

    private static boolean isClass(String file, Predicate<String> isChecked) {
        return file.endsWith(SUFFIX) && isChecked.test(toJavaName(file.substring(0, file.length() - SUFFIX.length())));
    }

    static String toJavaName(String internalName) {
        return internalName.replace('/', '.');
    }
}
