/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The members of a nameservice as the NameNodes publish them: the global view of the paper's section 4.4. Immutable. */
@AutoValue
public abstract class GroupView {

    /** One NameNode. Immutable. */
    @AutoValue
    public abstract static class Member {

        /** @param http empty if it has no web pages */
        public static Member of(String rpc, String http) {
            return new AutoValue_GroupView_Member(rpc, http);
        }

        /** Where clients call, {@code host:port}. */
        public abstract String rpc();

        /** Where its web pages are, {@code host:port}, or empty. */
        public abstract String http();
    }

    public static GroupView of(String nameservice, List<Member> members) {
        return new AutoValue_GroupView(nameservice, Collections.unmodifiableList(new ArrayList<>(members)));
    }

    public abstract String nameservice();

    public abstract List<Member> members();

    /**
     * Reads the document that the bean {@code TrefoilGroup} shows as its view.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static GroupView read(String document) {
        Map<?, ?> view = object(Json.read(document));
        List<Member> members = new ArrayList<>();
        for (Object member : list(view.get("members"))) {
            Map<?, ?> fields = object(member);
            members.add(Member.of(text(fields, "rpc"), text(fields, "http")));
        }
        return of(text(view, "nameservice"), members);
    }

    /**
     * Takes the view out of what a NameNode's page {@code /jmx} answers to a question for that bean; as text, for
     * {@link #read}.
     *
     * @throws IllegalArgumentException if there is no such bean, or none that has a view
     */
    public static String documentIn(String jmxPage) {
        for (Object bean : list(object(Json.read(jmxPage)).get("beans"))) {
            Object view = object(bean).get("View");
            if (view instanceof String) {
                return (String) view;
            }
        }
        throw new IllegalArgumentException("there is no bean with a view");
    }

    private static Map<?, ?> object(Object value) {
        if (!(value instanceof Map)) {
            throw new IllegalArgumentException("wanted an object, found " + value);
        }
        return (Map<?, ?>) value;
    }

    private static List<?> list(Object value) {
        if (!(value instanceof List)) {
            throw new IllegalArgumentException("wanted a list, found " + value);
        }
        return (List<?>) value;
    }

    private static String text(Map<?, ?> fields, String name) {
        Object value = fields.get(name);
        if (!(value instanceof String)) {
            throw new IllegalArgumentException("wanted a text for " + name + ", found " + value);
        }
        return (String) value;
    }
}
