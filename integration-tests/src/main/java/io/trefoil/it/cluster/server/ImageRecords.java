/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.server;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The records of a namespace image in the XML form of the stock viewer: document, sections, records.
 *
 * <p>Two things may differ between equal namespaces and are left out: the transaction at which the image was taken, and
 * the order of the records, many of which a NameNode keeps in hash tables.
 */
public final class ImageRecords {
    private static final int RECORD_DEPTH = 3;
    private static final String TRANSACTION = "NameSection<txid>";

    private final Deque<String> open = new ArrayDeque<>();
    private final List<String> records = new ArrayList<>();
    private final StringBuilder record = new StringBuilder();
    private String section = "";

    private ImageRecords() {}

    /** All records except the one of the transaction, each prefixed with its section, sorted. */
    public static List<String> readSorted(Path xml) throws IOException, XMLStreamException {
        ImageRecords reader = new ImageRecords();
        try (InputStream in = new BufferedInputStream(Files.newInputStream(xml))) {
            reader.read(XMLInputFactory.newFactory().createXMLStreamReader(in));
        }
        reader.records.removeIf(line -> line.startsWith(TRANSACTION));
        Collections.sort(reader.records);
        return reader.records;
    }

    private void read(XMLStreamReader events) throws XMLStreamException {
        while (events.hasNext()) {
            switch (events.next()) {
                case XMLStreamConstants.START_ELEMENT -> begin(events.getLocalName());
                case XMLStreamConstants.CHARACTERS -> text(events.getText());
                case XMLStreamConstants.END_ELEMENT -> end();
                default -> {
                    // Comments and the end of the document say nothing about the namespace.
                }
            }
        }
    }

    private void begin(String name) {
        open.push(name);
        if (open.size() == RECORD_DEPTH - 1) {
            section = name;
        }
        if (open.size() == RECORD_DEPTH) {
            record.setLength(0);
            record.append(section);
        }
        if (open.size() >= RECORD_DEPTH) {
            record.append('<').append(name).append('>');
        }
    }

    private void text(String text) {
        if (open.size() >= RECORD_DEPTH) {
            record.append(text.strip());
        }
    }

    private void end() {
        if (open.size() >= RECORD_DEPTH) {
            record.append("</").append(open.peek()).append('>');
        }
        if (open.size() == RECORD_DEPTH) {
            records.add(record.toString());
        }
        open.pop();
    }
}
