/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.messages;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The interface whose methods are the messages of a closed family, such as the events or the effects of rules.
 *
 * <p>From {@code interface PumpEventHandler<X extends Exception>} with a method {@code void started(long sn) throws X} follows an abstract
 * class {@code PumpEvent} with a static factory {@code PumpEvent.started(long)}, an immutable class {@code PumpEvent.Started} with an
 * accessor {@code sn()}, and {@code dispatch(PumpEventHandler)}, which calls the method of the same name. So a message has one name
 * everywhere, and a new one does not compile until every handler answers it.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.SOURCE)
public @interface Messages {}
