import assert from "node:assert/strict";
import { plainAddress, Sources } from "../../../../agents/metrics-proxy/sources";

describe("connections to the metrics proxy", () => {
    it("are limited per source, so that idle ones of a pod take no place of others", () => {
        const sources = new Sources("10.0.0.1");
        const ends = Array.from({ length: 300 }, () => sources.accept("10.2.0.4")).filter((end) => end !== undefined);
        assert.equal(ends.length, 32);
        assert.ok(sources.accept("10.2.0.5"));
        ends[0]!();
        assert.ok(sources.accept("10.2.0.4"));
        assert.equal(sources.accept("10.2.0.4"), undefined);
    });

    it("are limited for all sources together, except the machine's own", () => {
        const sources = new Sources("10.0.0.1");
        const accepted = Array.from({ length: 1000 }, (_, index) => sources.accept(`10.2.0.${index}`));
        assert.equal(accepted.filter((end) => end !== undefined).length, 512);
        assert.ok(sources.accept("10.0.0.1"));
    });

    it("have an IPv4 address also on a socket for both families", () => {
        assert.equal(plainAddress("::ffff:10.0.0.1"), "10.0.0.1");
        assert.equal(plainAddress("fd00::1"), "fd00::1");
        assert.equal(plainAddress(), "");
    });
});
