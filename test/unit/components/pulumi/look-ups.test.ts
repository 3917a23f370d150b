import assert from "node:assert/strict";
import { LookUps } from "../../../../components/pulumi/look-ups";

describe("lookups before anything is created", () => {
    const warnings: string[] = [];
    const forbidden = (scope: string, message: string) =>
        message === "403" ? `the token needs the scope ${scope}` : undefined;
    const lookUps = new LookUps({ missing: /^no such/, forbidden }, (text) => void warnings.push(text));
    const rejected = (message: string) => Promise.reject<number>(new Error(message));
    beforeEach(() => void warnings.splice(0));

    it("return what was found, or that a single resource is missing", async () => {
        assert.equal(await lookUps.for(["sizes"], Promise.resolve(1)), 1);
        assert.equal(await lookUps.forOne(["the image"], Promise.resolve(1)), 1);
        assert.equal(await lookUps.forOne(["the image"], rejected("no such image")), "missing");
        assert.deepEqual(warnings, []);
    });

    it("do not warn when the engine has ended the run, which has an error of its own", async () => {
        const closing = "getZone returned an error: grpc: the client connection is closing";
        assert.equal(await lookUps.for(["sizes"], rejected(closing)), undefined);
        assert.equal(await lookUps.forOne(["the image"], rejected(closing)), undefined);
        assert.deepEqual(warnings, []);
    });

    it("warn of what could not be looked up, with the permission if that is why", async () => {
        assert.equal(await lookUps.for(["sizes", "sizes:read"], rejected("403")), undefined);
        assert.equal(await lookUps.forOne(["the image", "image:read"], rejected("timeout")), undefined);
        assert.equal(await lookUps.silent().for(["sizes"], rejected("403")), undefined);
        assert.deepEqual(warnings, [
            "could not check sizes before creating anything: the token needs the scope sizes:read: 403",
            "could not check the image before creating anything: timeout",
        ]);
    });
});
