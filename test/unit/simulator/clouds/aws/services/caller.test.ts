import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { sign } from "aws4";
import { Account } from "../../../../../../simulator/clouds/aws/account";
import { callerOf, credentialsOf } from "../../../../../../simulator/clouds/aws/services/caller";
import type { Asked } from "../../../../../../simulator/clouds/services/service";
import { example } from "./example";

describe("the signer of a request to a simulated AWS", () => {
    const { folder, account, secret } = example();
    after(() => rmSync(folder, { recursive: true }));

    type Keys = Pick<typeof credentials, "accessKeyId" | "secretAccessKey"> & { readonly token?: string };
    const caller = { role: "r", instance: "i-1" };
    const credentials = credentialsOf(secret, caller);
    const signed = (path = "/a%20b/x?list-type=2&prefix=a%2Fb&prefix-x=", body = "", by: Keys = credentials): Asked => {
        const { accessKeyId, secretAccessKey, token: sessionToken } = by;
        const desired = {
            host: "b.s3.eu-central-1.amazonaws.com",
            path,
            body,
            method: body ? "PUT" : "GET",
            service: "s3",
        };
        const { headers } = sign(
            { ...desired, region: "eu-central-1" },
            { accessKeyId, secretAccessKey, sessionToken },
        );
        const lower = Object.entries(headers!).map(([name, value]) => [name.toLowerCase(), String(value)]);
        const [at = "", query = ""] = path.split("?");
        const { host, method } = desired;
        return { method, host, path: at, query, headers: Object.fromEntries(lower), body: Buffer.from(body) };
    };
    const of = (asked: Asked, now?: number) => callerOf(account, asked, secret, now);

    it("is the role of the instance that was given the credentials", () => {
        assert.deepEqual(of(signed()), caller);
        assert.deepEqual(of(signed("/x", "content")), caller);
    });

    it("is the holder of a key created by the owner", () => {
        const secretAccessKey = "own-secret";
        const own = Account.open(join(folder, "own.json"), {
            ...account.state,
            accessKeys: { AKIA0: { secretAccessKey, policy: "{}" } },
        });
        const by = (key: string) => signed("/x", "content", { accessKeyId: "AKIA0", secretAccessKey: key });
        assert.deepEqual(callerOf(own, by(secretAccessKey), secret), { role: "AKIA0" });
        assert.deepEqual(callerOf(own, by("other"), secret), { problem: "SignatureDoesNotMatch" });
        assert.deepEqual(of(by(secretAccessKey)), { problem: "InvalidAccessKeyId" });
    });

    it("is missing without a signature", () => assert.deepEqual(of({ ...signed(), headers: {} }), {}));

    it("is missing if any part of the request or the time differs", () => {
        const asked = signed("/x", "content");
        assert.deepEqual(of({ ...asked, path: "/y" }), { problem: "SignatureDoesNotMatch" });
        assert.deepEqual(of({ ...asked, query: "acl=" }), { problem: "SignatureDoesNotMatch" });
        assert.deepEqual(of({ ...asked, body: Buffer.from("c") }), { problem: "XAmzContentSHA256Mismatch" });
        const more = { ...asked, headers: { ...asked.headers, "x-amz-acl": "public-read" } };
        assert.deepEqual(of(more), { problem: "AccessDenied" });
        assert.deepEqual(of(asked, Date.now() + 16 * 60_000), { problem: "RequestTimeTooSkewed" });
        assert.deepEqual(of(asked, Date.now() + 7 * 3_600_000), { problem: "InvalidToken" });
    });

    it("is missing for credentials that were never issued, or of deleted resources", () => {
        assert.deepEqual(of(signed("/x", "", credentialsOf("other", caller))), { problem: "InvalidToken" });
        const gone = credentialsOf(secret, { role: "r", instance: "i-3" });
        assert.deepEqual(of(signed("/x", "", gone)), { problem: "InvalidToken" });
        const mixed = { ...credentials, accessKeyId: "ASIA0" };
        assert.deepEqual(of(signed("/x", "", mixed)), { problem: "InvalidAccessKeyId" });
    });
});
