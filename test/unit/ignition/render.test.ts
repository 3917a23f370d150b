import assert from "node:assert/strict";
import fc from "fast-check";
import { config, render, size } from "../../../ignition";
import { anyConfig } from "./arbitrary";

describe("render", () => {
    it("gives the same bytes whatever the order of keys", () => {
        const shuffled = (value: unknown): unknown => {
            if (Array.isArray(value)) return value.map(shuffled);
            if (typeof value !== "object" || value === null) return value;
            return Object.fromEntries(
                Object.entries(value)
                    .reverse()
                    .map(([key, item]) => [key, shuffled(item)]),
            );
        };
        fc.assert(fc.property(anyConfig, (value) => assert.equal(render(shuffled(value) as never), render(value))));
    });

    it("leaves out what is not said", () => {
        const value = config({ units: [{ name: "a.service", enabled: undefined, contents: null }] });
        assert.equal(render(value), '{"ignition":{"version":"3.5.0"},"systemd":{"units":[{"name":"a.service"}]}}');
    });
});

describe("size", () => {
    it("counts bytes, not characters", () => {
        const value = config({ files: [{ path: "/ä" }] });
        assert.equal(size(value), Buffer.byteLength(render(value)));
        assert(size(value) > render(value).length);
    });
});
