/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.docs;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks what the pages of a tree cite against the tree. Each check returns the errors, one per line.
 *
 * <p>It checks the links of all Markdown files, and the pages that code cites. In {@code docs}, {@code README.md} and
 * {@code CONTRIBUTING.md} it also checks the paths in backticks or blocks of code that begin with a directory of the tree,
 * the full names of our packages and classes, and our commands, as in what our code says: each has a manual page. In pages for engineers it also checks the names in backticks that
 * look like a class, with or without a member after a dot. Such a name has to be a class of ours, by its simple name,
 * so that packages may move; or one of the JDK or of a jar on the class path, where Hadoop's are; or be in a string of
 * our code, as metrics are. Pages for operators are full of metrics, which are not classes; but the
 * messages that they quote are ours ({@link QuotedMessages}).
 */
final class Pages {
    /** In the text, or where a page lists the targets of links by reference. */
    private static final Pattern LINK = Pattern.compile("(?m)(?:\\]\\((?=[^)\\s]+\\))|^\\[[^\\]\\n]+\\]: )([^)\\s]+)");

    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+?)\\s*$");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```|```[^`\\n]+```");
    private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");
    private static final Pattern PATH = Pattern.compile("(?<![\\w/.<-])[\\w.-]+(?:/[\\w.-]+)*/[\\w.-]*\\w");
    private static final Pattern CITED_PAGE = Pattern.compile("(?<![\\w/])docs/[\\w/-]+\\.(?:md|svg)");
    private static final Pattern CLASS = Pattern.compile("[A-Z]+[a-z0-9]+(?:[A-Z][a-z0-9]*)*(?:\\.\\w+)?");
    private static final Pattern FULL_NAME = Pattern.compile("\\bio\\.trefoil(?:\\.[a-z]\\w*)*(?:\\.[A-Z]\\w*)?");
    /** Hadoop's tests are in no jar that is here. */
    private static final Pattern HADOOPS_TEST = Pattern.compile("Test[A-Z]\\w*");

    private static final Pattern STRING = Pattern.compile("\"([^\"\\n]*)\"");
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|enum|record) ([A-Z]\\w*)");
    /** Its methods are those of a class that is written while the module is compiled. */
    private static final Pattern HANDLER_OF_MESSAGES =
            Pattern.compile("@Messages\\s+(?:public )?interface ([A-Z]\\w*)Handler<");

    private static final Pattern COMMENT = Pattern.compile("/\\*(?s:.*?)\\*/|(?<!:)//[^\\n]*");
    private static final Pattern DIFFERENCE = Pattern.compile("\\bD-\\d+\\b");
    private static final Pattern FIGURE = Pattern.compile("class=\"figure\">([^<]+)<");
    private static final Pattern PAGE_OF_FIGURES = Pattern.compile("<desc>[^<]*(docs/[\\w/-]+\\.md)");

    /** The second word may be an argument. */
    private static final Pattern COMMAND =
            Pattern.compile("\\bhdfs trefoil(?: -(?:D|conf) \\S+)* ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?");

    private static final Path MANUAL_PAGES = Path.of("tools/src/main/man/man1");

    private static final Set<String> COMMANDS_OF_HADOOP = Set.of("bin/hdfs", "bin/hadoop");
    /** Classes of our harness with the names of Hadoop's classes, which the pages mean. */
    private static final Set<String> NAMESAKES = Set.of("Client", "Event", "Options", "Server");

    private static final List<String> OPERATOR_PAGES = List.of("docs/operating", "docs/reference");

    private static final Path DIFFERENCES = Path.of("docs/design/divergence.md");

    private final Path root;
    /** All files to check, by path from the root. */
    private final Map<Path, String> texts = new TreeMap<>();
    /** Our classes and the code of their files, including nested classes, by simple name. */
    private final Map<String, String> classes = new TreeMap<>();
    /** The words in their strings. */
    private final Set<String> words = new HashSet<>();

    private Pages(Path root) {
        this.root = root;
    }

    static Pages of(Path root) throws IOException {
        Pages pages = new Pages(root);
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files.filter(Pages::isText)::iterator) {
                Path name = root.relativize(file);
                if (!isGenerated(name)) {
                    pages.read(name);
                }
            }
        }
        return pages;
    }

    private static boolean isText(Path file) {
        boolean isScript = file.getParent().endsWith("bin");
        return Files.isRegularFile(file) && (isScript || file.toString().matches(".*\\.(md|java|svg|sh|xml|service)"));
    }

    /** Files and directories that a build makes, or git's own. */
    private static boolean isGenerated(Path name) {
        for (Path part : name) {
            if (part.toString().equals("target")
                    || (part.toString().startsWith(".") && part.toString().length() > 1)) {
                return true;
            }
        }
        return false;
    }

    private void read(Path name) throws IOException {
        String text = Files.readString(root.resolve(name));
        texts.put(name, text);
        if (name.toString().endsWith(".java")) {
            String code = COMMENT.matcher(text).replaceAll("");
            forEachMatch(TYPE, code, type -> classes.merge(type.group(1), code, String::concat));
            forEachMatch(
                    HANDLER_OF_MESSAGES,
                    code,
                    family -> classes.merge(family.group(1), code + " " + family.group(1), String::concat));
            forEachMatch(
                    STRING, code, string -> words.addAll(List.of(string.group(1).split("\\W+"))));
        }
    }

    SortedSet<String> brokenLinks() {
        SortedSet<String> broken = new TreeSet<>();
        texts.forEach((page, text) -> {
            if (isMarkdown(page)) {
                forEachMatch(LINK, withoutCode(text), link -> brokenLink(page, link.group(1))
                        .addTo(broken));
            }
        });
        return broken;
    }

    private Finding brokenLink(Path page, String link) {
        if (link.contains(":")) {
            return Finding.NONE;
        }
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        if (!Files.exists(root.resolve(target))) {
            return new Finding(page + ": link to " + link + ", no such file");
        }
        if (hash < 0 || !texts.containsKey(target)) {
            return Finding.NONE;
        }
        SortedSet<String> anchors = new TreeSet<>();
        forEachMatch(HEADING, withoutCodeBlocks(texts.get(target)), heading -> anchors.add(anchor(heading.group(1))));
        return anchors.contains(link.substring(hash + 1))
                ? Finding.NONE
                : new Finding(page + ": link to " + link + ", no such heading; there are " + anchors);
    }

    /** As GitHub makes them: lower case, no punctuation, hyphens for spaces. */
    private static String anchor(String heading) {
        String words = heading.replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1").toLowerCase(Locale.ROOT);
        return words.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
    }

    SortedSet<String> missingPaths() throws IOException {
        Set<String> directories = new HashSet<>();
        try (Stream<Path> files = Files.list(root)) {
            files.filter(Files::isDirectory)
                    .forEach(
                            directory -> directories.add(directory.getFileName().toString()));
        }
        directories.add("bin");
        SortedSet<String> missing = new TreeSet<>();
        texts.forEach((page, text) -> {
            if (isPage(page)) {
                forEachMatch(
                        CODE, withoutCodeBlocks(text), code -> missingPaths(page, directories, code.group(1), missing));
                forEachMatch(BLOCK, text, block -> missingPaths(page, directories, block.group(), missing));
            } else if (!isMarkdown(page)) {
                forEachMatch(CITED_PAGE, text, cited -> {
                    if (!Files.exists(root.resolve(cited.group())) && !isPlanted(page)) {
                        missing.add(page + ": " + cited.group() + ", no such file");
                    }
                });
            }
        });
        return missing;
    }

    private void missingPaths(Path page, Set<String> directories, String code, SortedSet<String> missing) {
        forEachMatch(PATH, code, path -> {
            String name = path.group();
            boolean isOurs = directories.contains(name.substring(0, name.indexOf('/')))
                    && !("/" + name).contains("/target/")
                    && !COMMANDS_OF_HADOOP.contains(name);
            boolean exists = Files.exists(root.resolve(name))
                    || Files.exists(root.resolve(page).resolveSibling(name));
            if (isOurs && !exists) {
                missing.add(page + ": `" + name + "`, no such file");
            }
        });
    }

    SortedSet<String> missingCommands() throws IOException {
        Set<String> commands = new HashSet<>();
        try (Stream<Path> manual = Files.list(root.resolve(MANUAL_PAGES))) {
            manual.forEach(page -> commands.add(page.getFileName().toString().replaceFirst("\\.1$", "")));
        }
        SortedSet<String> missing = new TreeSet<>();
        texts.forEach((page, text) -> {
            if (isPage(page)) {
                forEachMatch(
                        CODE, withoutCodeBlocks(text), code -> missingCommands(page, commands, code.group(1), missing));
                forEachMatch(BLOCK, text, block -> missingCommands(page, commands, block.group(), missing));
            } else if (page.toString().contains("src/main/java")) {
                forEachMatch(STRING, text, string -> missingCommands(page, commands, string.group(1), missing));
            }
        });
        return missing;
    }

    private static void missingCommands(Path page, Set<String> commands, String code, SortedSet<String> missing) {
        forEachMatch(COMMAND, code, cited -> {
            String command = "trefoil-" + cited.group(1);
            boolean isGroup = commands.stream().anyMatch(one -> one.startsWith(command + "-"));
            boolean isThere = commands.contains(command)
                    && (!isGroup || cited.group(2) == null || commands.contains(command + "-" + cited.group(2)));
            if (!isThere) {
                missing.add(page + ": `" + cited.group() + "`, no such command");
            }
        });
    }

    SortedSet<String> missingMessages() {
        QuotedMessages messages = new QuotedMessages();
        texts.forEach((file, text) -> {
            if (file.toString().contains("src/main/java") || file.startsWith("conf")) {
                messages.addSource(text);
            }
        });
        SortedSet<String> missing = new TreeSet<>();
        texts.forEach((page, text) -> {
            if (isMarkdown(page) && page.startsWith("docs/operating")) {
                forEachMatch(CODE, withoutCodeBlocks(text), code -> messages.findUnknownWords(code.group(1))
                        .ifPresent(words ->
                                missing.add(page + ": `" + code.group(1) + "`, nothing says '" + words + "'")));
            }
        });
        return missing;
    }

    SortedSet<String> missingClasses() throws IOException {
        Set<String> otherPages = classesOfOthers();
        SortedSet<String> missing = new TreeSet<>();
        texts.forEach((page, text) -> {
            if (isPage(page)) {
                forEachMatch(FULL_NAME, text, name -> missingFullName(page, name.group())
                        .addTo(missing));
            }
            if (isPage(page) && OPERATOR_PAGES.stream().noneMatch(page::startsWith)) {
                forEachMatch(CODE, withoutCodeBlocks(text), code -> missingClass(page, otherPages, code.group(1))
                        .addTo(missing));
            }
        });
        return missing;
    }

    private Finding missingFullName(Path page, String name) {
        Path file = Path.of(name.replace('.', '/'));
        for (Path source : texts.keySet()) {
            if (source.toString().endsWith(".java") && texts.get(source).contains('"' + name + '"')) {
                // It is the name of a logger.
                return Finding.NONE;
            }
            if (source.getParent() != null && (source.getParent().endsWith(file) || source.endsWith(file + ".java"))) {
                return Finding.NONE;
            }
        }
        return new Finding(page + ": " + name + ", no such package or class");
    }

    private Finding missingClass(Path page, Set<String> otherPages, String name) {
        if (!CLASS.matcher(name).matches()) {
            return Finding.NONE;
        }
        int dot = name.indexOf('.');
        String type = dot < 0 ? name : name.substring(0, dot);
        if (!classes.containsKey(type)) {
            return otherPages.contains(type)
                            || words.contains(type)
                            || HADOOPS_TEST.matcher(type).matches()
                    ? Finding.NONE
                    : new Finding(page + ": `" + name + "`, no such class here, in Hadoop or in the JDK");
        }
        String member = dot < 0 ? type : name.substring(dot + 1);
        boolean isThere = Pattern.compile("\\b" + member + "\\b(?! *\\.)")
                .matcher(classes.get(type))
                .find();
        return isThere || NAMESAKES.contains(type)
                ? Finding.NONE
                : new Finding(page + ": `" + name + "`, class " + type + " has no " + member);
    }

    private static Set<String> classesOfOthers() throws IOException {
        Set<String> names = new HashSet<>();
        for (String jar : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (jar.endsWith(".jar")) {
                try (JarFile file = new JarFile(jar)) {
                    file.stream().forEach(entry -> addClass(entry.getName(), names));
                }
            }
        }
        Path jdk = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules/java.base");
        try (Stream<Path> classes = Files.walk(jdk)) {
            classes.forEach(path -> addClass(path.toString(), names));
        }
        return names;
    }

    private static void addClass(String path, Set<String> names) {
        // Our classes count where their source is: our jars are on the class path, too.
        if (path.endsWith(".class") && !path.startsWith("io/trefoil/")) {
            int begin = Math.max(path.lastIndexOf('/'), path.lastIndexOf('$')) + 1;
            names.add(path.substring(begin, path.length() - ".class".length()));
        }
    }

    SortedSet<String> missingDifferences() {
        SortedSet<String> entries = new TreeSet<>();
        forEachMatch(
                Pattern.compile("(?m)^## (D-\\d+)\\. "), texts.get(DIFFERENCES), entry -> entries.add(entry.group(1)));
        SortedSet<String> missing = new TreeSet<>();
        texts.forEach((page, text) -> forEachMatch(DIFFERENCE, text, cited -> {
            if (!entries.contains(cited.group()) && !isPlanted(page)) {
                missing.add(page + ": " + cited.group() + ", no such entry in " + DIFFERENCES);
            }
        }));
        return missing;
    }

    /** Pages that no index links to, and pictures that no page shows. An index is a README below docs. */
    SortedSet<String> unlinkedPages() {
        Set<Path> linked = new HashSet<>();
        Set<Path> shown = new HashSet<>();
        texts.forEach((page, text) -> {
            if (isMarkdown(page)) {
                forEachMatch(LINK, text, link -> {
                    Path target = page.resolveSibling(link.group(1).replaceFirst("#.*", ""))
                            .normalize();
                    shown.add(target);
                    if (page.startsWith("docs") && page.endsWith("README.md")) {
                        linked.add(target);
                    }
                });
            }
        });
        SortedSet<String> alone = new TreeSet<>();
        for (Path page : texts.keySet()) {
            if (page.startsWith("docs") && isMarkdown(page) && !page.endsWith("README.md") && !linked.contains(page)) {
                alone.add(page + ": linked from no index");
            }
            if (page.startsWith("docs") && page.toString().endsWith(".svg") && !shown.contains(page)) {
                alone.add(page + ": shown by no page");
            }
        }
        return alone;
    }

    SortedSet<String> figuresWithoutSource() {
        SortedSet<String> wrong = new TreeSet<>();
        texts.forEach((picture, text) -> {
            if (picture.toString().endsWith(".svg")) {
                forEachMatch(
                        PAGE_OF_FIGURES,
                        text,
                        page -> forEachMatch(FIGURE, text, figure -> {
                            String source = texts.getOrDefault(Path.of(page.group(1)), "");
                            if (!Pattern.compile("(?<![\\d.])" + Pattern.quote(figure.group(1)) + "(?![\\d.]\\d)")
                                    .matcher(source)
                                    .find()) {
                                wrong.add(picture + ": " + figure.group(1) + ", not on " + page.group(1));
                            }
                        }));
            }
        });
        return wrong;
    }

    private static boolean isMarkdown(Path page) {
        return page.toString().endsWith(".md");
    }

    private static boolean isPage(Path page) {
        return isMarkdown(page)
                && (page.startsWith("docs")
                        || List.of("README.md", "CONTRIBUTING.md").contains(page.toString()));
    }

    /** Whether this file has the wrong citations that show that the check finds any. */
    private static boolean isPlanted(Path file) {
        return file.endsWith("DocumentationTest.java");
    }

    private static String withoutCode(String text) {
        return CODE.matcher(withoutCodeBlocks(text)).replaceAll("");
    }

    private static String withoutCodeBlocks(String text) {
        return BLOCK.matcher(text).replaceAll("");
    }

    private static void forEachMatch(Pattern pattern, String text, Consumer<MatchResult> found) {
        pattern.matcher(text).results().forEach(found);
    }

    /** The error in one citation, if any. */
    private record Finding(String text) {
        static final Finding NONE = new Finding("");

        void addTo(SortedSet<String> findings) {
            if (!text.isEmpty()) {
                findings.add(text);
            }
        }
    }
}
