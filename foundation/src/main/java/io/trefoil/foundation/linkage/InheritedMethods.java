/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.linkage;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The methods that a class inherits from all of its parents: those that it overrides, and those without an implementation,
 * a call of which would end a thread with an {@code AbstractMethodError}.
 *
 * <p>Not thread-safe.
 */
final class InheritedMethods {
    private final Function<String, Optional<ClassFile>> find;
    private final ClassFile type;
    private final Map<String, MemberUse> inherited = new LinkedHashMap<>();
    private final Set<String> implemented = new HashSet<>();
    private final Set<String> visited = new HashSet<>();
    private boolean complete = true;

    /** @param findClass by an internal name */
    InheritedMethods(Function<String, Optional<ClassFile>> findClass, ClassFile type) {
        this.find = findClass;
        this.type = type;
        type.parents().forEach(this::visit);
    }

    private void visit(String name) {
        if (!visited.add(name)) {
            return;
        }
        Optional<ClassFile> file = find.apply(name);
        if (!file.isPresent()) {
            complete = false;
            return;
        }
        file.get().overridableMethods().forEach((method, flags) -> {
            inherited.putIfAbsent(method, MemberUse.of(name, method));
            if (!Modifier.isAbstract(flags)) {
                implemented.add(method);
            }
        });
        file.get().parents().forEach(this::visit);
    }

    /** The methods without an implementation; empty for an abstract class, and for one with missing parents. */
    Collection<MemberUse> unimplementedMethods() {
        if (type.isAbstract() || !complete) {
            return Collections.emptyList();
        }
        Map<String, MemberUse> left = new LinkedHashMap<>(inherited);
        left.keySet().removeAll(implemented);
        type.overridableMethods().forEach((method, flags) -> {
            if (!Modifier.isAbstract(flags)) {
                left.remove(method);
            }
        });
        return left.values();
    }

    /** The class's own methods that this parent also has. */
    List<MemberUse> overriddenMethods() {
        List<MemberUse> overridden = new ArrayList<>();
        for (String method : type.overridableMethods().keySet()) {
            if (inherited.containsKey(method)) {
                overridden.add(inherited.get(method));
            }
        }
        return overridden;
    }
}
