/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads what a {@link ValueWriter} wrote, in the order in which it did. */
public final class ValueReader {

    private final Map<Integer, Class<?>> classes = new HashMap<>();
    private DataInputStream in = new DataInputStream(new ByteArrayInputStream(new byte[0]));

    /** All values of one write. */
    public List<Object> read(byte[] bytes) throws IOException {
        in = new DataInputStream(new ByteArrayInputStream(bytes));
        List<Object> values = new ArrayList<>();
        try {
            while (in.available() > 0) {
                values.add(readValue());
            }
        } catch (ReflectiveOperationException e) {
            throw new IOException(e);
        }
        return values;
    }

    private Object readValue() throws IOException, ReflectiveOperationException {
        int tag = in.readByte();
        return switch (tag) {
            case ValueWriter.EMPTY -> Optional.empty();
            case ValueWriter.PRESENT -> Optional.of(readValue());
            case ValueWriter.COLLECTION -> {
                List<Object> all = new ArrayList<>();
                for (int left = in.readInt(); left > 0; left--) {
                    all.add(readValue());
                }
                yield all;
            }
            case ValueWriter.TEXT -> in.readUTF();
            case ValueWriter.NUMBER -> in.readLong();
            case ValueWriter.SMALL_NUMBER -> in.readInt();
            case ValueWriter.FALSE -> false;
            case ValueWriter.TRUE -> true;
            case ValueWriter.CONSTANT -> readConstant(readClass(), in.readUTF());
            case ValueWriter.OBJECT -> readObject(readClass());
            default -> throw new IOException("A value of kind " + tag);
        };
    }

    private static Object readConstant(Class<?> type, String name) throws IOException {
        for (Object one : type.getEnumConstants()) {
            if (((Enum<?>) one).name().equals(name)) {
                return one;
            }
        }
        throw new IOException(type + " has no " + name);
    }

    private Class<?> readClass() throws IOException, ReflectiveOperationException {
        int number = in.readShort();
        if (number == classes.size()) {
            classes.put(number, Class.forName(in.readUTF()));
        }
        return classes.get(number);
    }

    private Object readObject(Class<?> type) throws IOException, ReflectiveOperationException {
        int count = ValueWriter.fieldsOf(type).size();
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (constructor.getParameterCount() == count) {
                constructor.setAccessible(true);
                Object[] fields = new Object[count];
                for (int i = 0; i < count; i++) {
                    Object field = readValue();
                    boolean isSet = constructor.getParameterTypes()[i] == Set.class;
                    fields[i] = isSet ? new LinkedHashSet<>((List<?>) field) : field;
                }
                return constructor.newInstance(fields);
            }
        }
        throw new IOException(type + " has no constructor of its fields");
    }
}
