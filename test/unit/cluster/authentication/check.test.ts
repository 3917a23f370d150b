import assert from "node:assert/strict";
import type { AuthenticationOptions, JwtOptions } from "../../../../cluster/authentication/options";
import { resolveCluster } from "../../../../cluster/resolve";
import { Authority } from "../../agents/boot/receiver/authority";

const url = "https://issuer.example/realms/a";
const issuer = { url, audiences: ["kubernetes"] };
const claimMappings = { username: { claim: "sub", prefix: "oidc:" } };
const entry: JwtOptions = { issuer, claimMappings };

const resolve = (...jwt: object[]) => resolveCluster({ name: "c", authentication: { jwt: jwt as JwtOptions[] } }).jwt;

describe("authentication", () => {
    const authority = new Authority();
    after(() => authority.remove());

    it("is by certificates and tokens of the cluster alone where nothing is said", () => {
        assert.deepEqual(resolveCluster({ name: "c" }).jwt, []);
    });

    it("takes everything that Kubernetes' configuration has", () => {
        const full: JwtOptions = {
            issuer: {
                url,
                discoveryURL: "https://10.0.0.1/.well-known/openid-configuration",
                certificateAuthority: authority.ca + authority.ca,
                audiences: ["kubernetes", "other"],
                audienceMatchPolicy: "MatchAny",
            },
            claimValidationRules: [
                { claim: "hd", requiredValue: "example.com" },
                { expression: "claims.?email_verified.orValue(true) == true", message: "verify your address" },
            ],
            claimMappings: {
                username: { expression: "claims.email" },
                groups: { claim: "groups", prefix: "" },
                uid: { claim: "sub" },
                extra: [{ key: "example.com/tenant", valueExpression: "claims.tenant" }],
            },
            userValidationRules: [{ expression: "user.username != 'root'" }],
        };
        assert.deepEqual(resolve(full, entryOf({ url: "https://other.example" })), [
            full,
            entryOf({ url: "https://other.example" }),
        ]);
    });

    const entryOf = (more: object) => ({ ...entry, issuer: { ...issuer, ...more } });
    const mapped = (more: object) => ({ ...entry, claimMappings: { ...claimMappings, ...more } });
    const rule = (...rules: object[]) => ({ ...entry, claimValidationRules: rules });
    const at = "authentication.jwt[0]";
    const own = "https://kubernetes.default.svc.cluster.local";
    const https = "must be an https URL without user, query and fragment (got";
    const refused: [string, object[], string][] = [
        ["an unknown key", [{ ...entry, clientId: "a" }], `a key of ${at} must be one of issuer, claimValidationRules`],
        ["an unknown key of the issuer", [entryOf({ egressSelectorType: "cluster" })], `a key of ${at}.issuer must be`],
        ["an unknown key of a mapping", [mapped({ user: {} })], `a key of ${at}.claimMappings must be one of username`],
        ["no issuer", [{ claimMappings }], `${at}.issuer must be an object of url, discoveryURL`],
        ["no mappings", [{ issuer }], `${at}.claimMappings must be an object of username`],
        ["plain HTTP", [entryOf({ url: "http://issuer.example" })], `${at}.issuer.url ${https} http://issuer.example)`],
        ["a query", [entryOf({ url: `${url}?a=b` })], `${at}.issuer.url ${https} ${url}?a=b)`],
        ["a password", [entryOf({ url: "https://a:b@c.example" })], `${at}.issuer.url ${https} https://...@c.example)`],
        ["no URL", [entryOf({ url: "" })], `${at}.issuer.url ${https} "")`],
        ["the cluster's own issuer", [entryOf({ url: own })], `${at}.issuer.url must not be the cluster's own issuer`],
        [
            "the same discovery URL",
            [entryOf({ discoveryURL: `${url}/` })],
            `${at}.issuer.discoveryURL must not equal url`,
        ],
        [
            "text that is no CA",
            [entryOf({ certificateAuthority: "a" })],
            `${at}.issuer.certificateAuthority must be PEM`,
        ],
        ["no audience", [entryOf({ audiences: [] })], `${at}.issuer.audiences must be a list with at least one client`],
        ["an empty audience", [entryOf({ audiences: [""] })], `${at}.issuer.audiences[0] must be a client ID (got "")`],
        ["audiences twice", [entryOf({ audiences: ["a", "a"] })], `${at}.issuer.audiences must not have duplicates`],
        [
            "several audiences without a policy",
            [entryOf({ audiences: ["a", "b"] })],
            `${at}.issuer.audienceMatchPolicy must be one of MatchAny`,
        ],
        ["an issuer twice", [entry, entry], `authentication.jwt[1].issuer.url must be unique (got ${url})`],
        [
            "65 issuers",
            Array.from({ length: 65 }, (_, index) => entryOf({ url: `https://${index}.example` })),
            "authentication.jwt must be at most 64 issuers (got 65)",
        ],
        [
            "a claim without a prefix",
            [mapped({ username: { claim: "sub" } })],
            `${at}.claimMappings.username.claim requires prefix ("" for none)`,
        ],
        [
            "a prefix of an expression",
            [mapped({ groups: { expression: "claims.groups", prefix: "a:" } })],
            `${at}.claimMappings.groups.prefix conflicts with expression (got a:`,
        ],
        [
            "a claim and an expression",
            [mapped({ uid: { claim: "sub", expression: "claims.sub" } })],
            `${at}.claimMappings.uid must be either a claim or an expression`,
        ],
        ["an empty username", [mapped({ username: {} })], `${at}.claimMappings.username must be either a claim or`],
        [
            "an address that may not be verified",
            [mapped({ username: { expression: "claims.email" } })],
            `${at}.claimMappings.username.expression must be an expression that also uses claims.email_verified`,
        ],
        [
            "a reserved key of extra",
            [mapped({ extra: [{ key: "a.k8s.io/b", valueExpression: "claims.a" }] })],
            `${at}.claimMappings.extra[0].key must be a lower-case key with a domain of yours`,
        ],
        [
            "a key of extra in upper case",
            [mapped({ extra: [{ key: "example.com/A", valueExpression: "claims.a" }] })],
            `${at}.claimMappings.extra[0].key must be a lower-case key`,
        ],
        ["a rule of nothing", [rule({})], `${at}.claimValidationRules[0] must be either a claim or an expression`],
        [
            "a claim with a message",
            [rule({ claim: "a", message: "b" })],
            `${at}.claimValidationRules[0].message conflicts with claim (got b)`,
        ],
        [
            "an expression with a value",
            [rule({ expression: "true", requiredValue: "b" })],
            `${at}.claimValidationRules[0].requiredValue conflicts with expression (got b)`,
        ],
        ["a claim twice", [rule({ claim: "a" }, { claim: "a" })], `${at}.claimValidationRules[1].claim must be unique`],
        [
            "a user rule without an expression",
            [{ ...entry, userValidationRules: [{ message: "a" }] }],
            `${at}.userValidationRules[0].expression must be a CEL expression`,
        ],
    ];
    for (const [what, jwt, message] of refused) {
        it(`is refused with ${what}`, () => {
            assert.throws(
                () => resolve(...jwt),
                ({ message: actual }: Error) => {
                    assert.equal(actual.slice(0, message.length), message);
                    return true;
                },
            );
        });
    }

    it("is refused with a key that is not jwt, such as one about anonymous requests", () => {
        const authentication = { anonymous: { enabled: true } } as AuthenticationOptions;
        const message = "a key of authentication must be one of jwt (got anonymous)";
        assert.throws(() => resolveCluster({ name: "c", authentication }), { message });
    });
});
