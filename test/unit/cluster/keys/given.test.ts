import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { describeKeyChanges, keyProblems } from "../../../../cluster/keys/changes";
import { fingerprintsOf, readGivenKeys, requireGivenKeys } from "../../../../cluster/keys/given";
import { issuerDocuments } from "../../../../cluster/keys/issuers";
import { annotatedKeys, firstKeys, type KeyLists, keysAnnotations, resolveKeys } from "../../../../cluster/keys/lists";
import type { GivenKeys } from "../../../../cluster/options";
import { curve, intermediateCa, rootCa, rsa } from "./own-cas";

const pem = (type: "ec" | "rsa" | "ed25519", details: object, cipher: object = {}) => {
    const { privateKey } = generateKeyPairSync(type as "ec", details as { namedCurve: string });
    return privateKey.export({ type: "pkcs8", format: "pem", ...cipher }) as string;
};
const signer = pem("ec", { namedCurve: "P-256" });
const first = rootCa("kubernetes-ca");
const other = rootCa("kubernetes-ca");
const named = (contents: GivenKeys, lists: object = {}): KeyLists =>
    resolveKeys({ ...lists, given: fingerprintsOf(contents) });

describe("CAs and keys of a user's own", () => {
    const legal: readonly [string, GivenKeys][] = [
        ["a root CA", { kubernetesCa: { 1: first } }],
        ["an intermediate CA", { etcdCa: { 1: intermediateCa("etcd") } }],
        [
            "RSA",
            {
                frontProxyCa: { 1: rootCa("proxy", rsa(2048)) },
                serviceAccount: { 1: pem("rsa", { modulusLength: 2048 }) },
            },
        ],
        ["ECDSA P-384", { etcdCa: { 1: rootCa("etcd", curve("P-384")) }, serviceAccount: { 1: signer } }],
    ];
    for (const [title, contents] of legal) {
        it(`may be ${title}`, () => {
            for (const [kind, all] of Object.entries(requireGivenKeys(named(contents), contents))) {
                for (const { certificate, key, pkcs8, publicKey, end } of Object.values(all)) {
                    assert.match(key, /^-----BEGIN (EC|RSA) PRIVATE KEY-----/);
                    for (const each of [key, pkcs8]) {
                        const own = createPublicKey(createPrivateKey(each)).export({ type: "spki", format: "pem" });
                        assert.equal(own, publicKey);
                    }
                    if (kind === "serviceAccount") continue;
                    assert.ok(new X509Certificate(certificate!).checkPrivateKey(createPrivateKey(key)));
                    assert.ok(Date.parse(end!) > Date.now());
                }
            }
        });
    }

    const chain = intermediateCa("etcd");
    const illegal: readonly [string, GivenKeys, RegExp][] = [
        [
            "another kind",
            { encryption: {} } as never,
            /^a key of givenKeys must be serviceAccount, .* \(got encryption\)$/,
        ],
        [
            "no generation",
            { etcdCa: { first } },
            /^a key of givenKeys\.etcdCa must be a generation: 1, 2, \.\.\. \(got first\)$/,
        ],
        [
            "another name",
            { kubernetesCa: { 2: first } },
            /^the common name of givenKeys\.kubernetesCa\.2\.certificate must be kubernetes-ca-2 \(got kubernetes-ca\)$/,
        ],
        [
            "the key of another CA",
            { etcdCa: { 1: { ...first, key: other.key } } },
            /^givenKeys\.etcdCa\.1\.key must be the key of the certificate \(got another key\)$/,
        ],
        [
            "a whole chain",
            { etcdCa: { 1: { ...chain, certificate: chain.certificate + chain.root } } },
            /^givenKeys\.etcdCa\.1\.certificate must be PEM of one certificate: .* \(got 2 of them\)$/,
        ],
        [
            "no certificate",
            { etcdCa: { 1: { ...first, certificate: "ca.crt" } } },
            /^givenKeys\.etcdCa\.1\.certificate must be PEM of one certificate: .* \(got 0 of them\)$/,
        ],
        [
            "damaged",
            { etcdCa: { 1: { ...first, certificate: first.certificate.replace(/MII/, "MIX") } } },
            /^givenKeys\.etcdCa\.1\.certificate must be PEM of a certificate \(got something else\)$/,
        ],
        [
            "no CA",
            { etcdCa: { 1: rootCa("etcd", curve("P-256"), ["-addext", "basicConstraints=CA:FALSE"]) } },
            /^givenKeys\.etcdCa\.1\.certificate must be the certificate of a CA, .* \(got etcd\)$/,
        ],
        [
            "not allowed to sign",
            { etcdCa: { 1: rootCa("etcd", curve("P-256"), ["-addext", "keyUsage=digitalSignature"]) } },
            /^givenKeys\.etcdCa\.1\.certificate must be the certificate of a CA, .* \(got etcd\)$/,
        ],
        [
            "a short RSA key",
            { etcdCa: { 1: rootCa("etcd", rsa(1024)) } },
            /^givenKeys\.etcdCa\.1\.key must be PEM .* \(got rsa\)$/,
        ],
        [
            "another curve",
            { serviceAccount: { 1: pem("ec", { namedCurve: "secp256k1" }) } },
            /^givenKeys\.serviceAccount\.1 must be PEM .* \(got ec\)$/,
        ],
        [
            "Ed25519",
            { serviceAccount: { 1: pem("ed25519", {}) } },
            /^givenKeys\.serviceAccount\.1 must be PEM .* \(got ed25519\)$/,
        ],
        [
            "protected",
            { serviceAccount: { 1: pem("ec", { namedCurve: "P-256" }, { cipher: "aes-256-cbc", passphrase: "x" }) } },
            /^givenKeys\.serviceAccount\.1 must be PEM of a private key without a passphrase: .* \(got something else\)$/,
        ],
        [
            "the same twice",
            { kubernetesCa: { 1: first }, frontProxyCa: { 1: first } },
            /^givenKeys\.frontProxyCa\.1 must be another key than givenKeys\.kubernetesCa\.1 \(got the same\)$/,
        ],
    ];
    for (const [title, contents, message] of illegal) {
        it(`may not be: ${title}`, () => {
            assert.throws(
                () => readGivenKeys(contents),
                (error: Error) => {
                    assert.match(error.message, message);
                    assert.doesNotMatch(error.message, /PRIVATE KEY/);
                    return true;
                },
            );
        });
    }

    it("must be those that the options name, no more and no fewer", () => {
        const contents = { kubernetesCa: { 1: first } };
        const message = (keys: KeyLists, given?: GivenKeys) => {
            try {
                requireGivenKeys(keys, given);
            } catch (error) {
                return (error as Error).message.replaceAll(/[0-9a-f]{64}/g, "…");
            }
            return undefined;
        };
        assert.equal(message(named(contents), contents), undefined);
        assert.equal(message(resolveKeys({})), undefined);
        assert.equal(message(named(contents)), "givenKeys.kubernetesCa.1 must be the key with SHA-256 … (got none)");
        assert.equal(
            message(named(contents), { kubernetesCa: { 1: other } }),
            "givenKeys.kubernetesCa.1 must be the key with SHA-256 … (got one with SHA-256 …)",
        );
        assert.equal(
            message(resolveKeys({}), contents),
            "a key of givenKeys.kubernetesCa must be a generation in keys.given.kubernetesCa (got 1)",
        );
        assert.throws(
            () => named(contents, { kubernetesCa: [2] }),
            /a key of keys\.given\.kubernetesCa must be in keys\.kubernetesCa, which is \[2\] \(got 1\)/,
        );
        assert.throws(
            () => resolveKeys({ given: { etcdCa: { 1: "ab:cd" } } }),
            /keys\.given\.etcdCa\.1 must be a SHA-256/,
        );
        assert.throws(() => resolveKeys({ given: { encryption: {} } as never }), /a key of keys\.given must be/);
    });

    it("may have expired only if they do not issue", () => {
        const contents = { kubernetesCa: { 1: first } };
        const later = Date.now() + 500 * 86_400_000;
        assert.throws(
            () => requireGivenKeys(named(contents), contents, later),
            /givenKeys\.kubernetesCa\.1\.certificate must be valid, because it issues \(got expired 20/,
        );
        requireGivenKeys(named(contents, { kubernetesCa: [2, 1] }), contents, later);
    });

    it("may be of a later time only if they do not issue yet", () => {
        const contents = { kubernetesCa: { 1: first } };
        const earlier = Date.now() - 500 * 86_400_000;
        assert.throws(
            () => requireGivenKeys(named(contents), contents, earlier),
            /givenKeys\.kubernetesCa\.1\.certificate must be valid, because it issues \(got not valid before 20/,
        );
        requireGivenKeys(named(contents, { kubernetesCa: [2, 1] }), contents, earlier);
    });

    it("cannot replace one of the same number, ours or theirs", () => {
        const keysOf = (ca?: typeof first) => (ca ? named({ kubernetesCa: { 1: ca } }) : resolveKeys({}));
        const problems = (from: KeyLists, to: KeyLists) =>
            keyProblems(
                [
                    { name: "a", keys: from },
                    { name: "b", keys: from },
                ],
                to,
            ).map((each) => each.replaceAll(/[0-9a-f]{64}/g, "…"));
        const prefix = "generation 1 of keys.kubernetesCa must be the one that is in use,";
        const remedy = "give another key as another generation";
        assert.deepEqual(problems(keysOf(first), keysOf(first)), []);
        assert.deepEqual(problems(keysOf(first), keysOf(other)), [`${prefix} …: ${remedy} (got …)`]);
        assert.deepEqual(problems(keysOf(), keysOf(first)), [`${prefix} created by the stack: ${remedy} (got …)`]);
        assert.deepEqual(problems(keysOf(first), keysOf()), [`${prefix} …: ${remedy} (got created by the stack)`]);
        assert.deepEqual(describeKeyChanges(keysOf(first), keysOf(other)), ["keys.kubernetesCa: 1 is another key"]);
    });

    it("are rotated like the stack's own, from these and to these", () => {
        const given = { kubernetesCa: { 2: rootCa("kubernetes-ca-2") } };
        const steps: KeyLists[] = [
            { ...firstKeys },
            { ...firstKeys, kubernetesCa: [1, 2], given: fingerprintsOf(given) },
            { ...firstKeys, kubernetesCa: [2, 1], given: fingerprintsOf(given) },
            { ...firstKeys, kubernetesCa: [2], given: fingerprintsOf(given) },
            { ...firstKeys, kubernetesCa: [2, 3], given: fingerprintsOf(given) },
            { ...firstKeys, kubernetesCa: [3, 2], given: fingerprintsOf(given) },
            { ...firstKeys, kubernetesCa: [3] },
        ];
        steps.slice(1).forEach((keys, index) => {
            const { kubernetesCa } = steps[index]!;
            // Kubelets and etcd members do not say which CAs are given.
            const holders = [
                { name: "a", keys: steps[index]! },
                { name: "b", keys: { kubernetesCa } },
            ];
            assert.deepEqual(keyProblems(holders, keys), []);
            assert.deepEqual(annotatedKeys(keysAnnotations(keys)), { ...firstKeys, ...keys });
        });
    });

    it("may be RSA keys whose public part others read", () => {
        const { publicKey } = readGivenKeys({ serviceAccount: { 1: pem("rsa", { modulusLength: 2048 }) } })
            .serviceAccount![1]!;
        const documents = issuerDocuments("https://example.com", publicKey);
        const [key] = JSON.parse(documents["openid/v1/jwks"]!).keys;
        assert.deepEqual([key.kty, key.alg], ["RSA", "RS256"]);
        const again = createPublicKey({ key, format: "jwk" }).export({ type: "spki", format: "pem" });
        assert.equal(again, publicKey);
        assert.match(documents[".well-known/openid-configuration"]!, /"RS256"/);
    });
});
