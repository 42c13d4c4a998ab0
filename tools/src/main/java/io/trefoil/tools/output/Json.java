/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.output;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;

/** Writes maps, collections, strings, numbers and booleans as JSON, using Hadoop's Jackson. */
public final class Json {

    private static final DefaultIndenter INDENTER = new DefaultIndenter("  ", "\n");

    private Json() {}

    public static String text(Map<String, ?> object) {
        try {
            return new ObjectMapper().writer(new Layout()).writeValueAsString(object) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Not for JSON: " + object, e);
        }
    }

    /** The layout with one field or value per line. */
    private static final class Layout extends DefaultPrettyPrinter {

        private static final long serialVersionUID = 1;

        Layout() {
            indentObjectsWith(INDENTER);
            indentArraysWith(INDENTER);
        }

        @Override
        public DefaultPrettyPrinter createInstance() {
            return new Layout();
        }

        @Override
        public void writeObjectFieldValueSeparator(JsonGenerator generator) throws IOException {
            generator.writeRaw(": ");
        }
    }
}
