/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.pictures;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** The data of a picture next to it, as JSON, from which {@code bin/draw-picture} draws it again. */
public final class PictureFile {
    private static final String SVG = ".svg";
    private static final String DATA = ".picture.json";
    private static final int RGB = 0xffffff;

    private static final ObjectMapper JSON = new ObjectMapper()
            .setVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
            .registerModule(new SimpleModule()
                    .addSerializer(Color.class, new ColorWriter())
                    .addDeserializer(Color.class, new ColorReader()));

    private PictureFile() {}

    /** Draws a picture, and writes its data next to it: those of {@code a.svg} to {@code a.picture.json}. */
    public static void write(Picture picture, Path svg) throws IOException {
        JSON.writerWithDefaultPrettyPrinter().writeValue(dataPath(svg).toFile(), picture);
        picture.writeSvg(svg);
    }

    /**
     * Reads the data written by {@link #write}.
     *
     * @throws IOException if it is not the data of a picture; the text says where
     */
    static Picture read(Path data) throws IOException {
        return JSON.readValue(data.toFile(), Picture.class);
    }

    private static Path dataPath(Path svg) {
        String name = svg.getFileName().toString();
        String stem = name.endsWith(SVG) ? name.substring(0, name.length() - SVG.length()) : name;
        return svg.resolveSibling(stem + DATA);
    }

    private static final class ColorWriter extends JsonSerializer<Color> {
        @Override
        public void serialize(Color color, JsonGenerator out, SerializerProvider unused) throws IOException {
            out.writeString(String.format(Locale.ROOT, "#%06x", color.getRGB() & RGB));
        }
    }

    private static final class ColorReader extends JsonDeserializer<Color> {
        @Override
        public Color deserialize(JsonParser in, DeserializationContext unused) throws IOException {
            return Color.decode(in.getText());
        }
    }
}
