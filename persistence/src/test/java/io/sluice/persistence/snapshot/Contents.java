package io.sluice.persistence.snapshot;

import io.sluice.persistence.Entry;
import io.sluice.persistence.KeyspaceDriver;
import io.sluice.persistence.ValueType;
import io.sluice.persistence.collection.HashValue;
import io.sluice.persistence.collection.ListValue;
import io.sluice.persistence.collection.PackedValue;
import io.sluice.persistence.collection.SetValue;
import io.sluice.persistence.collection.ZSetValue;

import java.util.ArrayList;
import java.util.List;

/** Collections as text to compare: the elements in their order, with {@code =} and the value or score behind them. */
final class Contents {

    private Contents() {
    }

    static List<String> of(final KeyspaceDriver driver, final int db, final String key) {
        return driver.unit(() -> of(driver.at(db, key)));
    }

    static List<String> of(final Entry e) {
        return switch (e.type()) {
            case ValueType.LIST -> members(new ListValue(), e);
            case ValueType.SET -> members(new SetValue(), e);
            case ValueType.ZSET -> scored(e);
            case ValueType.HASH -> fields(e);
            default -> throw new AssertionError("type " + e.type());
        };
    }

    private static List<String> members(final PackedValue value, final Entry e) {
        value.view(e);
        final List<String> members = new ArrayList<>();
        for (int i = 0; i < value.size(); i++) {
            members.add(text(value, value.at(i)));
        }
        return members;
    }

    private static List<String> scored(final Entry e) {
        final ZSetValue value = new ZSetValue();
        value.view(e);
        final List<String> members = new ArrayList<>();
        for (int i = 0; i < value.size(); i++) {
            members.add(text(value, value.at(i)) + "=" + value.score(value.at(i)));
        }
        return members;
    }

    private static List<String> fields(final Entry e) {
        final HashValue value = new HashValue();
        value.view(e);
        final List<String> fields = new ArrayList<>();
        for (int i = 0; i < value.size(); i++) {
            final int handle = value.at(i);
            fields.add(text(value, handle) + "="
                + KeyspaceDriver.text(value.valueAddress(handle), value.valueLength(handle)));
        }
        return fields;
    }

    private static String text(final PackedValue value, final int handle) {
        return KeyspaceDriver.text(value.address(handle), value.length(handle));
    }
}
