import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { redact } from "../../../../agents/harness/redact";
import { shownUrl } from "../../../../agents/harness/shown-url";

const { privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

describe("secrets in texts that are shown", () => {
    it("are redacted: private keys, plain, in JSON and in base64", () => {
        const [, body] = privateKey.split("\n");
        for (const text of [privateKey, JSON.stringify({ key: privateKey }), `a\n${privateKey}b\n${privateKey}`]) {
            assert.ok(!redact(text).includes(body!), text);
        }
        for (const before of ["", "x", "xy"]) {
            const encoded = Buffer.from(`${privateKey}${before}`).toString("base64");
            assert.equal(redact(`client-key-data: ${encoded}\n`), "client-key-data: [private key]\n");
        }
    });

    it("are redacted: tokens and passwords", () => {
        const jwt = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJlcm5ldGVzIn0.c2lnbmF0dXJlLXBhcnQ";
        assert.equal(redact(`got ${jwt}.`), "got [token].");
        assert.equal(redact("joined with abcdef.0123456789abcdef"), "joined with [bootstrap token]");
        assert.equal(redact("Authorization: Bearer abcdefgh12345678"), "Authorization: Bearer [token]");
        assert.equal(
            redact('{"secretAccessKey": "abcdefghij", "a": 1}'),
            '{"secretAccessKey": "[blotted out]", "a": 1}',
        );
        assert.equal(redact("id AKIAIOSFODNN7EXAMPLE here"), "id [access key] here");
        assert.equal(redact("DB_PASSWORD=hunter22 x"), "DB_PASSWORD=[blotted out] x");
    });

    it("are redacted: truncated private keys in logs", () => {
        const [begin, body] = privateKey.split("\n");
        for (const line of ["\n", "\\n"]) {
            const cut = [begin, body].join(line);
            assert.equal(redact(`before\n${cut}`), "before\n[private key]");
        }
        assert.equal(redact(`${begin}\nNov 22 it stopped`), "[private key]\nNov 22 it stopped");
    });

    const secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYzzzz";
    for (const [before, after = ""] of [
        ["AWS_SECRET_ACCESS_KEY="],
        ["export AWS_SESSION_TOKEN='", "'"],
        ["aws_secret_access_key = "],
        ['"SecretAccessKey" : "', '"'],
        ['{\\"secretAccessKey\\":\\"', '\\"}'],
        ["SPACES_SECRET_ACCESS_KEY=", " doctl"],
        ["spaces_access_key: "],
        ["DIGITALOCEAN_TOKEN=", " pulumi up"],
        ["DIGITALOCEAN_ACCESS_TOKEN: "],
        ["https://b.s3.amazonaws.com/k?X-Amz-Credential=", "&X-Amz-Date=20261122T000000Z"],
        ["https://b.fra1.digitaloceanspaces.com/k?X-Amz-Expires=60&X-Amz-Signature=", '"'],
        ["https://proxy?to=k%3FX-Amz-Signature%3D"],
        ["x-amz-security-token: "],
        ['{"name": "AWS_SECRET_ACCESS_KEY", "value": "', '"}'],
        ["pulumi login --access-token ", " --verbose"],
    ] as const) {
        it(`are redacted: ${before}…`, () => {
            assert.equal(redact(`${before}${secret}${after}`), `${before}[blotted out]${after}`);
        });
    }

    it("are redacted: other recognizable forms", () => {
        assert.equal(redact('{"password": "correct horse battery"}'), '{"password": "[blotted out]"}');
        assert.equal(
            redact("https://me:hunter2@registry.example.com/v2"),
            "https://me:[blotted out]@registry.example.com/v2",
        );
        assert.equal(redact("key DO00ABCDEFGHJKLMNPQR."), "key [access key].");
        assert.equal(redact(`dor_v1_${"0a".repeat(32)}`), "[token]");
        assert.equal(
            redact("Authorization: AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/x, Signature=abcdef0123"),
            "Authorization: AWS4-HMAC-SHA256 [signature]",
        );
    });

    it("are found quickly in long texts", () => {
        const begin = privateKey.split("\n")[0];
        const lines = `Nov 22 09:41:01 c-controller-0 kubelet[1]: ${begin} ${"QUJD".repeat(20)} token\n`.repeat(2_000);
        // Quadratic patterns would exceed the time limit of a test.
        assert.match(redact(lines), /^Nov 22 09:41:01 c-controller-0 kubelet\[1\]: \[private key\]/);
    });

    it("do not include useful text: names, numbers, certificates, times", () => {
        const text = [
            '"secretName": "kube-apiserver", "token-lifetime-controller", tokenExpirationSeconds: 3600',
            "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
            "--tls-private-key-file=/etc/kubernetes/secrets/apiserver.key --service-account-key-file=/a/b --token-ttl 24h",
            '"name": "TOKEN_LIFETIME", "value": "3600", "secretKeyRef": {"key": "id", "name": "etcd-snapshots"}',
            "GET https://10.117.48.11:6443/api/v1/nodes?resourceVersion=12345&watch=true user@example.com",
            "I1122 09:41:01.123456 kube-apiserver-x7k2p.kube-system.svc 10.117.48.11:6443 etcd 3.6.8",
        ].join("\n");
        assert.equal(redact(text), text);
    });

    it("stay redacted", () => {
        fc.assert(
            fc.property(fc.string(), (text) => {
                const once = redact(`${text} token=abcdefghij ${text}`);
                assert.ok(!once.includes("abcdefghij"));
                assert.equal(redact(once), once);
            }),
        );
    });
});

describe("the URL of a download", () => {
    for (const [url, shown] of [
        ["https://mirror.example:8080/v1/kubelet", "https://mirror.example:8080/v1/kubelet"],
        ["https://me:hunter2@mirror.example/kubelet", "https://mirror.example/kubelet"],
        ["https://token@mirror.example/a@b", "https://mirror.example/a@b"],
        ["https://b.s3.example/kubelet?X-Amz-Signature=0123&a=b", "https://b.s3.example/kubelet?…"],
    ] as const) {
        it(`is shown without credentials: ${url}`, () => assert.equal(shownUrl(url), shown));
    }
});
