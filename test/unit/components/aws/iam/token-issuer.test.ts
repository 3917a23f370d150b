import assert from "node:assert/strict";
import { issuerDocuments, issuersOf } from "../../../../../cluster/keys/issuers";
import { resolveAws } from "../../../../../components/aws/resolve";
import { resolved } from "../../../deploy";
import { deployAws } from "../deploy-aws";

const least = { domain: "example.com", region: "eu-central-1" };
const bucket = "acme-issuer";
const url = "https://acme-issuer.s3.eu-central-1.amazonaws.com";

describe("the issuer of pods' tokens on AWS", () => {
    it("is a bucket of which everyone can read two documents and nothing else", async () => {
        const { resources, result } = await deployAws({ serviceAccountRoles: { bucket } });
        const of = (type: string) =>
            resources.filter((each) => each.name.startsWith("c-issuer") && each.type.endsWith(`:${type}`));
        const arn = "arn:aws:s3:::c-issuer";
        assert.deepEqual(JSON.parse(of("BucketPolicy")[0]!.inputs.policy).Statement, [
            {
                Effect: "Allow",
                Principal: "*",
                Action: "s3:GetObject",
                Resource: [`${arn}/.well-known/openid-configuration`, `${arn}/openid/v1/jwks`],
            },
        ]);
        const { blockPublicAcls, blockPublicPolicy } = of("BucketPublicAccessBlock")[0]!.inputs;
        assert.deepEqual([blockPublicAcls, blockPublicPolicy], [true, false]);
        assert.deepEqual(
            of("BucketObjectv2").map(({ inputs }) => inputs.key),
            [".well-known/openid-configuration", "openid/v1/jwks"],
        );
        const [provider] = of("OpenIdConnectProvider");
        assert.deepEqual([provider!.inputs.url, provider!.inputs.clientIdLists], [url, ["sts.amazonaws.com"]]);
        assert.equal(result.oidcIssuerUrl, url);
        const documents = await resolved(result.oidcDocuments!);
        assert.deepEqual(Object.keys(documents), [".well-known/openid-configuration", "openid/v1/jwks"]);
    });

    it("has the documents in an output if the user publishes them", async () => {
        const issuerUrl = "https://issuer.example.com/c";
        const { resources, result } = await deployAws({ serviceAccountRoles: { issuerUrl } });
        assert.ok(resources.every(({ type }) => !type.endsWith(":BucketPolicy")));
        assert.equal(result.oidcIssuerUrl, issuerUrl);
        const documents = await resolved(result.oidcDocuments!);
        assert.equal(JSON.parse(documents[".well-known/openid-configuration"]!).issuer, issuerUrl);
    });

    it("does not exist by default", async () => {
        const { resources } = await deployAws();
        assert.ok(resources.every(({ name }) => !name.startsWith("c-issuer")));
    });

    it("is the first issuer unless it is only accepted", () => {
        const own = "https://kubernetes.default.svc.cluster.local";
        const of = (more: object) =>
            issuersOf(resolveAws("c", { ...least, serviceAccountRoles: { bucket, ...more } }).cluster);
        assert.deepEqual(of({}), [url, own]);
        assert.deepEqual(of({ issuing: false }), [own, url]);
    });

    it("has no key twice, and none that is missing", () => {
        const documents = issuerDocuments(url, "");
        assert.deepEqual(JSON.parse(documents["openid/v1/jwks"]!), { keys: [] });
    });

    const refused: [string, object, RegExp][] = [
        ["nowhere", {}, /^serviceAccountRoles requires bucket or issuerUrl$/],
        [
            "in two places",
            { bucket, issuerUrl: url },
            /^serviceAccountRoles\.bucket conflicts with serviceAccountRoles\.issuerUrl \(got /,
        ],
        ["a bucket whose name TLS cannot verify", { bucket: "acme.issuer" }, /^serviceAccountRoles\.bucket must be/],
        ["without TLS", { issuerUrl: "http://a.example" }, /^serviceAccountRoles\.issuerUrl must be a URL with https/],
        ["at a port", { issuerUrl: "https://a.example:8443" }, /^serviceAccountRoles\.issuerUrl must be .* without a/],
        ["with a slash at its end", { issuerUrl: "https://a.example/" }, /^serviceAccountRoles\.issuerUrl must be/],
    ];
    for (const [where, serviceAccountRoles, message] of refused) {
        it(`is not ${where}`, () => {
            assert.throws(
                () => resolveAws("c", { ...least, serviceAccountRoles }),
                (error: Error) => {
                    assert.match(error.message, message);
                    return true;
                },
            );
        });
    }

    it("is not one that people log in with too", () => {
        const jwt = [
            { issuer: { url, audiences: ["k"] }, claimMappings: { username: { claim: "sub", prefix: "x:" } } },
        ];
        assert.throws(
            () => resolveAws("c", { ...least, serviceAccountRoles: { bucket }, authentication: { jwt } }),
            /issuer\.url must not be the cluster's own issuer/,
        );
    });
});
