import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { s3 } from "../../../../../../simulator/clouds/aws/services/s3";
import type { Asked, Caller, Unsigned } from "../../../../../../simulator/clouds/services/service";
import { example } from "./example";

describe("the simulated S3", () => {
    const { folder, account, asker } = example();
    after(() => rmSync(folder, { recursive: true }));
    const caller: Caller = { role: "r", instance: "i-1" };
    const Statement = [
        { Effect: "Allow", Action: ["s3:GetObject"], Resource: "arn:aws:s3:::configs/nodes/a/*" },
        {
            Effect: "Allow",
            Action: ["s3:*Object", "s3:ListBucket"],
            Resource: ["arn:aws:s3:::own", "arn:aws:s3:::own/*"],
        },
        {
            Effect: "Allow",
            Action: ["s3:ListBucket"],
            Resource: ["arn:aws:s3:::configs"],
            Condition: { StringLike: { "s3:prefix": "nodes/a/*" } },
        },
    ];
    before(() => {
        account.put("rolePolicies", "r:p", { name: "p", role: "r", policy: JSON.stringify({ Statement }) });
        for (const name of ["configs", "own"]) account.put("buckets", name, { name, isForced: true });
        for (const key of ["nodes/a/x.ign", "nodes/b/x.ign"]) {
            account.put("objects", `configs/${key}`, { name: key, bucket: "configs", key, content: "0123456789" });
        }
    });
    const regional = "s3.eu-central-1.amazonaws.com";
    interface More {
        readonly by?: Caller | Unsigned;
        readonly host?: string;
        readonly body?: string;
        readonly range?: string;
    }
    const ask = async (method: string, url: string, { by = caller, host = regional, body = "", range }: More = {}) => {
        const [path = "", query = ""] = url.split("?");
        const asked = { method, host, path, query, headers: range ? { range } : {}, body: Buffer.from(body) };
        const answer = await s3.answer(account, asked as Asked, { ...asker, caller: by });
        return { ...answer, text: String(answer.body ?? "") };
    };
    const unsigned = { by: {} };

    it("returns without a signature what a bucket's policy lets everyone read, and nothing else", async () => {
        account.put("buckets", "public", { name: "public", isForced: true });
        for (const key of ["openid/v1/jwks", "other"]) {
            account.put("objects", `public/${key}`, { name: key, bucket: "public", key, content: "{}" });
        }
        const open = { Effect: "Allow", Principal: "*", Action: "s3:GetObject" };
        const policy = JSON.stringify({
            Version: "2012-10-17",
            Statement: [{ ...open, Resource: ["arn:aws:s3:::public/openid/v1/jwks"] }],
        });
        assert.equal((await ask("GET", "/public/openid/v1/jwks", unsigned)).status, 403);
        account.put("bucketPolicies", "public", { name: "public", policy });
        assert.equal((await ask("GET", "/public/openid/v1/jwks", unsigned)).text, "{}");
        assert.equal((await ask("GET", "/public/other", unsigned)).status, 403);
        assert.equal((await ask("PUT", "/public/openid/v1/jwks", unsigned)).status, 403);
        const forged = { by: { problem: "SignatureDoesNotMatch" } };
        assert.equal((await ask("GET", "/public/openid/v1/jwks", forged)).status, 403);
    });

    it("returns to an instance what its role may read, by either kind of address", async () => {
        assert.equal((await ask("GET", "/configs/nodes/a/x.ign")).text, "0123456789");
        for (const host of [`configs.${regional}`, "configs.s3.dualstack.eu-central-1.amazonaws.com"]) {
            assert.match(host, s3.hosts);
            assert.equal((await ask("GET", "/nodes/a/x.ign", { host })).text, "0123456789");
        }
    });

    it("returns nothing else to any caller, and does not reveal what is missing", async () => {
        const refused = ["/configs/nodes/b/x.ign", "/configs/nodes/a/missing", "/configs/nodes/b/missing", "/configs"];
        for (const path of refused) {
            const { status, text } = await ask("GET", path);
            assert.deepEqual([status, /<Code>(.*)<\/Code>/.exec(text)![1]], [403, "AccessDenied"], path);
        }
        assert.equal((await ask("GET", "/configs/nodes/a/x.ign", unsigned)).status, 403);
        const wrong = { by: { problem: "SignatureDoesNotMatch" } };
        assert.match((await ask("GET", "/configs/nodes/a/x.ign", wrong)).text, /SignatureDoesNotMatch/);
        assert.match((await ask("GET", "/other/x")).text, /NoSuchBucket/);
    });

    it("reveals a bucket's region to everyone", async () => {
        const { status, headers } = await ask("HEAD", "/configs", unsigned);
        assert.deepEqual([status, headers?.["x-amz-bucket-region"]], [403, "eu-central-1"]);
        assert.equal((await ask("HEAD", "/other", unsigned)).status, 404);
    });

    it("returns ranges of an object, as downloaders request them", async () => {
        const part = (range: string) => ask("GET", "/configs/nodes/a/x.ign", { range });
        const { status, headers, text } = await part("bytes=0-5242879");
        assert.deepEqual([status, headers?.["content-range"], text], [206, "bytes 0-9/10", "0123456789"]);
        assert.equal((await part("bytes=2-4")).text, "234");
        assert.equal((await part("bytes=10-")).status, 416);
    });

    it("lists what a role may list in a bucket, by key prefix", async () => {
        const status = async (query: string) => (await ask("GET", `/configs?list-type=2${query}`)).status;
        const [own, others, all] = ["&prefix=nodes%2Fa%2Fx", "&prefix=nodes%2Fb%2F", ""];
        assert.deepEqual([await status(own), await status(others), await status(all)], [200, 403, 403]);
    });

    it("stores what is put, lists it page by page, and deletes it", async () => {
        for (const key of ["a/1", "a/2", "b/ä"]) await ask("PUT", `/own/${encodeURI(key)}`, { body: key });
        assert.equal((await ask("GET", "/own/a/2")).text, "a/2");
        const list = async (query: string) => (await ask("GET", `/own?list-type=2&encoding-type=url&${query}`)).text;
        const keysIn = (text: string) => [...text.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key);
        assert.deepEqual(keysIn(await list("prefix=b%2F")), ["b%2F%C3%A4"]);
        const first = await list("prefix=a%2F&max-keys=1");
        const next = /<NextContinuationToken>(.*)<\/NextContinuationToken>/.exec(first)![1]!;
        const second = await list(`prefix=a%2F&max-keys=1&continuation-token=${encodeURIComponent(next)}`);
        assert.deepEqual([...keysIn(first), ...keysIn(second)], ["a%2F1", "a%2F2"]);
        assert.match(second, /<IsTruncated>false/);
        assert.equal((await ask("DELETE", "/own/a/1")).status, 204);
        assert.match((await ask("GET", "/own/a/1")).text, /NoSuchKey/);
        assert.equal((await ask("PUT", "/configs/nodes/a/x.ign", { body: "x" })).status, 403);
    });
});
