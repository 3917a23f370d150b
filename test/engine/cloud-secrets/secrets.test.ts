import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { gzipSync } from "node:zlib";
import { givenAway, secretsOf } from "./secrets";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = (type: "sec1" | "pkcs8") => privateKey.export({ type, format: "pem" }).toString();
const base64 = (value: string | Buffer) => Buffer.from(value).toString("base64");

describe("a search for secrets", () => {
    const made = {
        type: "tls:index/privateKey:PrivateKey",
        name: "c-token-a",
        outputs: { privateKeyPem: pem("sec1") },
    };
    const secrets = secretsOf([made]);
    const [key, token] = secrets.map(({ name }) => name);

    for (const [how, text] of Object.entries({
        "as is": pem("sec1"),
        "in the other form of PEM": pem("pkcs8"),
        "in DER": base64(privateKey.export({ type: "pkcs8", format: "der" })),
        "as a JSON web key": JSON.stringify(privateKey.export({ format: "jwk" })),
        "in JSON in JSON": JSON.stringify(JSON.stringify({ key: pem("pkcs8") })),
        "in base64 in base64": base64(`data: ${base64(`key: ${pem("sec1")}`)}`),
        "in gzip in a data URL": `data:;base64,${encodeURIComponent(base64(gzipSync(`{"key":"${base64(pem("sec1"))}"}`)))}`,
        "escaped for a URL": `data:,${encodeURIComponent(pem("pkcs8"))}`,
    })) {
        it(`finds a key ${how}`, () => {
            assert.deepEqual(givenAway(`before ${text} after`, secrets), [key]);
        });
    }

    it("finds the secret half of a token, and nothing in a public key", () => {
        assert.deepEqual(givenAway(`token: abcdef.${secrets[1]!.traces[0]}`, secrets), [token]);
        assert.deepEqual(
            givenAway(createPublicKey(pem("sec1")).export({ type: "spki", format: "pem" }).toString(), secrets),
            [],
        );
    });
});
