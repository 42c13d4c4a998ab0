/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes immutable values as bytes: each as its class and its fields, by reflection, so that no field is forgotten. The classes have their
 * numbers for as long as there is a writer, so what it wrote is read in that order. Not thread-safe.
 */
public final class ValueWriter {

    static final int EMPTY = 0;
    static final int PRESENT = 1;
    static final int COLLECTION = 2;
    static final int TEXT = 3;
    static final int NUMBER = 4;
    static final int SMALL_NUMBER = 5;
    static final int FALSE = 6;
    static final int TRUE = 7;
    static final int CONSTANT = 8;
    static final int OBJECT = 9;

    private final Map<Class<?>, Integer> numbers = new HashMap<>();
    private final Map<Class<?>, List<Field>> fields = new HashMap<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);

    /** The bytes of some values, one after the other. */
    public byte[] write(Object... values) {
        bytes.reset();
        try {
            for (Object value : values) {
                writeValue(value);
            }
        } catch (IOException | IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        return bytes.toByteArray();
    }

    private void writeValue(Object value) throws IOException, IllegalAccessException {
        if (value instanceof Optional) {
            Optional<?> optional = (Optional<?>) value;
            out.writeByte(optional.isPresent() ? PRESENT : EMPTY);
            if (optional.isPresent()) {
                writeValue(optional.get());
            }
        } else if (value instanceof Collection) {
            out.writeByte(COLLECTION);
            out.writeInt(((Collection<?>) value).size());
            for (Object element : (Collection<?>) value) {
                writeValue(element);
            }
        } else if (value instanceof String) {
            out.writeByte(TEXT);
            out.writeUTF((String) value);
        } else if (value instanceof Long) {
            out.writeByte(NUMBER);
            out.writeLong((Long) value);
        } else if (value instanceof Integer) {
            out.writeByte(SMALL_NUMBER);
            out.writeInt((Integer) value);
        } else if (value instanceof Boolean) {
            out.writeByte((Boolean) value ? TRUE : FALSE);
        } else if (value instanceof Enum) {
            out.writeByte(CONSTANT);
            writeClass(((Enum<?>) value).getDeclaringClass());
            out.writeUTF(((Enum<?>) value).name());
        } else {
            out.writeByte(OBJECT);
            writeClass(value.getClass());
            for (Field field : fields.computeIfAbsent(value.getClass(), ValueWriter::fieldsOf)) {
                writeValue(field.get(value));
            }
        }
    }

    private void writeClass(Class<?> type) throws IOException {
        Integer number = numbers.get(type);
        if (number == null) {
            number = numbers.size();
            numbers.put(type, number);
            out.writeShort(number);
            out.writeUTF(type.getName());
        } else {
            out.writeShort(number);
        }
    }

    /** Returns the fields that the constructor of an immutable class takes, in order. */
    static List<Field> fieldsOf(Class<?> type) {
        List<Field> all = new ArrayList<>();
        for (Field field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                all.add(field);
            }
        }
        return all;
    }
}
