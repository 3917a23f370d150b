import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { metadata } from "../../../../../../simulator/clouds/aws/services/metadata";
import { example } from "./example";

describe("the simulated instance metadata service", () => {
    const { folder, account, asker, secret } = example();
    after(() => rmSync(folder, { recursive: true }));

    const ask = (method: string, path: string, headers = {}, from = asker, now = Date.now()) => {
        const asked = { method, path, headers, host: "169.254.169.254", query: "", body: Buffer.alloc(0) };
        return metadata(account, asked, from, secret, now);
    };
    const ttl = (seconds: string) => ({ "x-aws-ec2-metadata-token-ttl-seconds": seconds });
    const token = String(ask("PUT", "/latest/api/token", ttl("21600")).body);
    const withToken = { "x-aws-ec2-metadata-token": token };
    const read = (path: string) => {
        const { status, body } = ask("GET", `/latest/${path}`, withToken);
        assert.equal(status, 200, path);
        return String(body);
    };

    it("starts a session with a PUT that came directly from the instance", () => {
        assert.equal(ask("PUT", "/latest/api/token", ttl("60")).status, 200);
        assert.equal(ask("PUT", "/latest/api/token", { ...ttl("60"), "x-forwarded-for": "10.2.0.1" }).status, 403);
        assert.equal(ask("GET", "/latest/api/token", ttl("60")).status, 405);
        for (const wrong of ["", "0", "21601", "1.5"])
            assert.equal(ask("PUT", "/latest/api/token", ttl(wrong)).status, 400);
    });

    it("returns nothing without a token, or with an expired one or another instance's", () => {
        const path = "/latest/meta-data/instance-id";
        assert.equal(ask("GET", path).status, 401);
        assert.equal(ask("GET", path, { "x-aws-ec2-metadata-token": "x.y" }).status, 401);
        assert.equal(ask("GET", path, withToken, { ...asker, address: "10.9.0.5" }).status, 401);
        assert.equal(ask("GET", path, withToken, asker, Date.now() + 21_601_000).status, 401);
        assert.equal(ask("GET", path, withToken, { ...asker, network: "other" }).status, 404);
    });

    it("describes an instance to itself", () => {
        const told = ["instance-id", "placement/availability-zone", "placement/region", "local-ipv4", "local-hostname"];
        assert.deepEqual(
            told.map((each) => read(`meta-data/${each}`)),
            ["i-1", "eu-central-1a", "eu-central-1", "10.9.0.4", "i-1.eu-central-1.compute.internal"],
        );
        assert.equal(read(`meta-data/network/interfaces/macs/${read("meta-data/mac")}/vpc-id`), "vpc-1");
        const { instanceId, region, privateIp } = JSON.parse(read("dynamic/instance-identity/document"));
        assert.deepEqual([instanceId, region, privateIp], ["i-1", "eu-central-1", "10.9.0.4"]);
        assert.equal(read("meta-data/block-device-mapping/root"), "/dev/xvda");
        assert.equal(read("user-data"), "{}");
        assert.equal(String(ask("GET", "/2019-10-01/user-data", withToken).body), "{}");
        assert.equal(ask("GET", "/latest/meta-data/public-ipv4", withToken).status, 404);
    });

    it("returns user-data that is no text, byte by byte", () => {
        const bytes = Buffer.from([0x1f, 0x8b, 0x00, 0xff]);
        account.change("instances", "i-1", (now) => ({
            ...now,
            spec: { ...now.spec!, userData: bytes.toString("latin1") },
        }));
        assert.deepEqual(ask("GET", "/latest/user-data", withToken).body, bytes);
    });

    it("has IPv6 addresses only of an instance that got one", () => {
        const path = () => `meta-data/network/interfaces/macs/${read("meta-data/mac")}/ipv6s`;
        assert.equal(ask("GET", `/latest/${path()}`, withToken).status, 404);
        account.change("instances", "i-1", (now) => ({ ...now, address6: "2001:db8::4" }));
        assert.deepEqual([read(path()), read("meta-data/ipv6")], ["2001:db8::4", "2001:db8::4"]);
    });

    it("returns temporary credentials of its role", () => {
        assert.equal(read("meta-data/iam/security-credentials/"), "r");
        const given = JSON.parse(read("meta-data/iam/security-credentials/r"));
        assert.match(given.AccessKeyId, /^ASIA[0-9A-F]{16}$/);
        assert.ok(Date.parse(given.Expiration) > Date.now() + 4 * 3_600_000);
    });
});
