/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** What PIT says of the mutants that it made: its {@code mutations.xml}, with the lines of code that it names by number. */
final class MutationReport {

    private final List<Mutant> survivors = new ArrayList<>();
    private final Set<String> methods = new TreeSet<>();
    private int count;

    private MutationReport() {}

    static MutationReport read(Path xml, Path sources) throws IOException {
        MutationReport report = new MutationReport();
        try {
            NodeList mutations = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(xml.toFile())
                    .getElementsByTagName("mutation");
            Map<Path, List<String>> files = new HashMap<>();
            for (int i = 0; i < mutations.getLength(); i++) {
                report.add((Element) mutations.item(i), sources, files);
            }
        } catch (SAXException | ParserConfigurationException e) {
            throw new IOException("Not a report of PIT: " + xml, e);
        }
        return report;
    }

    private void add(Element mutation, Path sources, Map<Path, List<String>> files) throws IOException {
        String className = text(mutation, "mutatedClass");
        String simpleName = className.substring(className.lastIndexOf('.') + 1);
        String method = simpleName + '.' + text(mutation, "mutatedMethod");
        methods.add(method);
        count++;
        String status = mutation.getAttribute("status");
        if (status.equals("SURVIVED") || status.equals("NO_COVERAGE")) {
            Path file = sources.resolve(className.replaceAll("\\$.*", "").replace('.', '/') + ".java");
            if (!files.containsKey(file)) {
                files.put(file, Files.readAllLines(file));
            }
            int number = Integer.parseInt(text(mutation, "lineNumber"));
            String line = files.get(file).get(number - 1).strip();
            survivors.add(new Mutant(method, line, change(text(mutation, "description"))));
        }
    }

    /** Without the names of classes, in which there are colons. */
    private static String change(String description) {
        return description.replaceAll("\\S*[/:]\\S*[/:]", "").replace(':', ' ').strip();
    }

    private static String text(Element mutation, String field) {
        return mutation.getElementsByTagName(field).item(0).getTextContent();
    }

    /** Those that no test noticed. */
    List<Mutant> survivors() {
        return survivors;
    }

    /** Whether there were mutants of a method in this run. */
    boolean covers(String method) {
        return methods.contains(method);
    }

    int count() {
        return count;
    }
}
