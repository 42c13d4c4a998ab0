/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.site;

import com.google.auto.value.AutoValue;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/** The properties that a Hadoop configuration file itself sets; files that it includes are not read. */
@AutoValue
abstract class SiteProperties {
    SiteProperties() {}

    /** The values by name; if there are two, the later one. */
    abstract Map<String, String> values();

    /** The names of final properties, which nothing later may change. */
    abstract Set<String> finalNames();

    /** Whether the file includes other files, which may set more. */
    abstract boolean hasIncludes();

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if it is not a Hadoop configuration
     */
    static SiteProperties parse(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        Set<String> finals = new LinkedHashSet<>();
        Element root = root(text);
        for (Element property : children(root, "property")) {
            Optional<String> name = childText(property, "name");
            if (!name.isPresent() || finals.contains(name.get())) {
                continue;
            }
            values.put(name.get(), childText(property, "value").orElse(""));
            if (childText(property, "final").filter("true"::equals).isPresent()) {
                finals.add(name.get());
            }
        }
        return new AutoValue_SiteProperties(
                Collections.unmodifiableMap(values), Collections.unmodifiableSet(finals), includes(root));
    }

    /** The property's value, trimmed; empty if it has none. */
    Optional<String> get(String name) {
        return Optional.ofNullable(values().get(name)).map(String::trim).filter(value -> !value.isEmpty());
    }

    /** The comma-separated parts of a value. */
    List<String> list(String name) {
        List<String> parts = new ArrayList<>();
        for (String part : get(name).orElse("").split(",")) {
            if (!part.trim().isEmpty()) {
                parts.add(part.trim());
            }
        }
        return parts;
    }

    private static Element root(String text) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
            factory.setExpandEntityReferences(false);
            DocumentBuilder builder = factory.newDocumentBuilder();
            // The default handler prints to standard error.
            builder.setErrorHandler(new DefaultHandler());
            Element root = builder.parse(new InputSource(new StringReader(text.replaceFirst("^\\uFEFF", ""))))
                    .getDocumentElement();
            if (!root.getTagName().equals("configuration")) {
                throw new IllegalArgumentException(
                        "Wanted <configuration> as the root element, found <" + root.getTagName() + ">");
            }
            return root;
        } catch (SAXParseException e) {
            throw new IllegalArgumentException(
                    "Not well-formed XML in line " + e.getLineNumber() + ": " + e.getMessage(), e);
        } catch (SAXException e) {
            throw new IllegalArgumentException("Not well-formed XML: " + e.getMessage(), e);
        } catch (IOException | ParserConfigurationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean includes(Element root) {
        NodeList nodes = root.getChildNodes();
        for (int i = 0; i < nodes.getLength(); i++) {
            if (nodes.item(i).getNodeName().replaceFirst(".*:", "").equals("include")) {
                return true;
            }
        }
        return false;
    }

    /** The name or value of a property. Hadoop accepts them as elements or as attributes; if both exist, the element counts. */
    private static Optional<String> childText(Element property, String tag) {
        Optional<String> child = child(property, tag);
        return child.isPresent() || !property.hasAttribute(tag)
                ? child
                : Optional.of(property.getAttribute(tag).trim());
    }

    private static Optional<String> child(Element parent, String tag) {
        return children(parent, tag).stream().findFirst().map(found -> found.getTextContent()
                .trim());
    }

    private static List<Element> children(Element parent, String tag) {
        List<Element> elements = new ArrayList<>();
        NodeList nodes = parent.getChildNodes();
        for (int i = 0; i < nodes.getLength(); i++) {
            Node node = nodes.item(i);
            if (node instanceof Element && node.getNodeName().equals(tag)) {
                elements.add((Element) node);
            }
        }
        return elements;
    }
}
