package io.sluice.server.config;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class EventClassesTest {
    private static String canonical(String letters) throws ConfigException {
        return new EventClasses().canonical(List.of(letters));
    }

    @Test
    void shouldShowLettersInOneOrder() throws ConfigException {
        assertEquals("", canonical(""));
        assertEquals("AKE", canonical("KEA"));
        assertEquals("AKE", canonical("EKrdtexzhsl$g"));
        assertEquals("xE", canonical("Ex"));
        assertEquals("AKmn", canonical("nmAK"));
    }

    @Test
    void shouldRefuseOtherLetters() {
        assertThrows(ConfigException.class, () -> canonical("KEQ"));
    }

    @Test
    void shouldTakeAllForEveryClassButMissesAndNewKeys() throws ConfigException {
        String all = canonical("AK");
        assertTrue(EventClasses.has(all, 'r'));
        assertTrue(EventClasses.has(all, 'x'));
        assertFalse(EventClasses.has(all, 'n'));
        assertFalse(EventClasses.has(all, 'E'));
        assertTrue(EventClasses.has(all, 'K'));
    }
}
