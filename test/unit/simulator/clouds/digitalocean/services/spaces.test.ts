import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sign } from "aws4";
import { Account } from "../../../../../../simulator/clouds/digitalocean/account";
import { callerOf, spaces } from "../../../../../../simulator/clouds/digitalocean/services";
import { spacesBucket, spacesKey } from "../../../../../../simulator/clouds/digitalocean/spaces-bucket";

describe("the simulated Spaces", () => {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-account-"));
    after(() => rmSync(folder, { recursive: true }));
    const account = Account.open(join(folder, "account.json"), { domains: [], images: {}, sshKeys: [] });
    const keys: Record<string, { accessKeyId: string; secretAccessKey: string }> = {};
    before(async () => {
        for (const name of ["own", "other"]) {
            await spacesBucket.create(account, { name, region: "fra1", forceDestroy: name === "own" });
        }
        for (const permission of ["read", "readwrite"]) {
            const grants = [{ bucket: "own", permission }];
            const { outputs } = await spacesKey.create(account, { name: permission, grants });
            const { accessKey, secretKey } = outputs as Record<string, string>;
            keys[permission] = { accessKeyId: accessKey!, secretAccessKey: secretKey! };
        }
    });

    const ask = async (method: string, path: string, key: string, host = "fra1.digitaloceanspaces.com", body = "") => {
        assert.match(host, spaces.hosts);
        const signed = sign({ method, path, host, body, service: "s3", region: "fra1" }, keys[key]);
        const lower = Object.entries(signed.headers!).map(([name, value]) => [name.toLowerCase(), String(value)]);
        const headers = Object.fromEntries(lower);
        const asked = { method, path, host, query: "", headers, body: Buffer.from(body) };
        const asker = { network: "c", address: "10.9.0.10" };
        return spaces.answer(account, asked, { ...asker, caller: callerOf(account, asked) });
    };

    it("are accessible with a key for the bucket, as far as it permits", async () => {
        assert.equal((await ask("PUT", "/own/a/x", "readwrite", undefined, "content")).status, 200);
        assert.equal(String((await ask("GET", "/own/a/x", "read")).body), "content");
        assert.equal(String((await ask("GET", "/a/x", "read", "own.fra1.digitaloceanspaces.com")).body), "content");
        assert.equal((await ask("PUT", "/own/a/x", "read", undefined, "other")).status, 403);
        assert.equal((await ask("GET", "/other/x", "readwrite")).status, 403);
        assert.equal((await ask("GET", "/own/a/x", "read", "nyc3.digitaloceanspaces.com")).status, 404);
    });

    it("keep a bucket that is not empty, unless forced", async () => {
        account.put("spacesObjects", "other/x", { name: "other/x", bucket: "other", key: "x" });
        await assert.rejects(() => spacesBucket.delete(account, "other"), /BucketNotEmpty/);
        for (const { accessKeyId } of Object.values(keys)) await spacesKey.delete(account, accessKeyId);
        await spacesBucket.delete(account, "own");
        assert.deepEqual(Object.keys(account.resources.spacesObjects), ["other/x"]);
    });
});
