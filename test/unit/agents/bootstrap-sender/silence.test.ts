import assert from "node:assert/strict";
import { Silence } from "../../../../agents/bootstrap-sender/silence";

const server = "https://203.0.113.7:6443";
const timedOut = Object.assign(new Error("The operation was aborted due to timeout"), { name: "TimeoutError" });
const failed = (code: string) => Object.assign(new Error(code), { code });

describe("a machine that no connection reaches", () => {
    const allowedCidrs = ["192.0.2.0/24"];

    it("is explained by apiAllowedCidrs while every connection times out", () => {
        const silence = new Silence({ server, allowedCidrs }, 0);
        assert.equal(silence.reason, undefined, "nothing was tried");
        silence.add(timedOut, failed("ETIMEDOUT"));
        assert.match(
            silence.reason!,
            /^every connection to https:\/\/203\.0\.113\.7:6443 timed out, and only apiAllowedCidrs \(192\.0\.2\.0\/24\)/,
        );
        assert.equal(silence.isLong, true);
        assert.equal(new Silence({ server, allowedCidrs }, 60_000).isLong, false);
    });

    it("is not if a connection was refused or answered once", () => {
        for (const answered of [failed("ECONNREFUSED"), failed("ECONNRESET"), failed("CERT_HAS_EXPIRED")]) {
            const silence = new Silence({ server, allowedCidrs }, 0);
            silence.add(timedOut, timedOut);
            silence.add(timedOut, answered);
            assert.equal(silence.reason, undefined);
        }
    });

    it("is not if every client is allowed", () => {
        const silence = new Silence({ server }, 0);
        silence.add(timedOut, timedOut);
        assert.equal(silence.reason, undefined);
    });
});
