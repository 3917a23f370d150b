import assert from "node:assert/strict";
import fc from "fast-check";
import { parse, render } from "../../../ignition";
import { anyConfig } from "./arbitrary";

describe("parse", () => {
    it("accepts a byte order mark, which editors on Windows write", () => {
        assert.deepEqual(parse('\uFEFF{"ignition":{"version":"3.0.0"}}'), { ignition: { version: "3.5.0" } });
    });

    it("reads back what was written", () => {
        fc.assert(fc.property(anyConfig, (value) => assert.equal(render(parse(render(value))), render(value))));
    });

    it("reads specifications 3.3 to 3.5 and brings them to 3.5", () => {
        for (const version of ["3.0.0", "3.1.0", "3.2.0", "3.3.0", "3.4.0", "3.5.0"]) {
            assert.deepEqual(parse(JSON.stringify({ ignition: { version } })), { ignition: { version: "3.5.0" } });
        }
    });

    it("refuses invalid JSON with a clear message", () => {
        assert.throws(() => parse("variant: flatcar"), {
            message: /^config must be Ignition JSON \(got "variant: flatcar"/,
        });
    });

    it("refuses what Ignition would", () => {
        const text = '{"ignition":{"version":"3.5.0"},"storage":{"files":[{"path":"x"}]}}';
        assert.throws(() => parse(text), { message: /^storage\.files\[0\]\.path must be an absolute path/ });
    });
});
