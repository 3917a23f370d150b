import assert from "node:assert/strict";
import { ApiClient, readKubeconfig } from "../../clients/kubernetes/api-client";
import type { ApiError } from "../../clients/kubernetes/api-error";
import type { JwtOptions } from "../../cluster/authentication/options";
import { fieldManager } from "../../cluster/manifest";
import { authenticationConfig } from "../../cluster/manifests/control-plane/authentication";
import { json } from "../../cluster/manifests/objects";
import { clusterBinding, clusterRole, subjects } from "../../cluster/manifests/rbac";
import { resolveCluster } from "../../cluster/resolve";
import type { KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { Authority } from "../unit/agents/boot/receiver/authority";
import { ApiServer } from "./apiserver";
import { OidcIssuer } from "./oidc/issuer";
import { until } from "./until";

const whoAmI = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const pods = "/api/v1/namespaces/default/pods";

interface UserInfo {
    readonly username: string;
    readonly groups: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
}

describe("logins by OpenID Connect, with a real issuer and a real kube-apiserver", function () {
    this.timeout(180_000);
    const authority = new Authority("issuer-ca");
    const person = (groups: readonly string[], more: object = {}) => ({
        email: "a@example.com",
        email_verified: true,
        groups,
        ...more,
    });
    const issuer = new OidcIssuer({
        certificate: authority.server("localhost"),
        ca: authority.ca,
        people: {
            ann: person(["developers"]),
            bob: person([]),
            eve: person(["developers"], { email: "eve@elsewhere.example" }),
            mallory: person(["system:masters"]),
            "system:admin": person([]),
            "kube-apiserver-kubelet-client": person([]),
        },
        clients: { kubernetes: 3600, other: 3600, brief: 2 },
    });
    let server: ApiServer;
    let url: string;
    let ca: string;

    const jwtOf = (more: Partial<JwtOptions> = {}): JwtOptions => ({
        issuer: {
            url: issuer.url,
            certificateAuthority: authority.ca,
            audiences: ["kubernetes", "brief"],
            audienceMatchPolicy: "MatchAny",
        },
        claimValidationRules: [{ expression: "claims.email.endsWith('@example.com')", message: "not one of ours" }],
        // Without a prefix, so that only the rules of ours keep reserved names away.
        claimMappings: {
            username: { claim: "sub", prefix: "" },
            groups: { claim: "groups", prefix: "" },
            extra: [{ key: "example.com/email", valueExpression: "claims.email" }],
        },
        ...more,
    });
    const configured = (jwt: JwtOptions) => {
        const cluster = resolveCluster({ name: "c", authentication: { jwt: [jwt] } });
        const text = json(authenticationConfig(cluster.jwt));
        return server.replaceApi({ "authentication-config": { name: "authentication.json", text } });
    };
    const by = (token: string) => new ApiClient(url, () => ({ ca, token }));
    const userOf = async (token: string): Promise<UserInfo> => {
        const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
        const { status } = await by(token).call<{ status: { userInfo: UserInfo } }>(whoAmI, {
            method: "POST",
            body,
            isFresh: true,
        });
        return status.userInfo;
    };
    const statusOf = (asked: Promise<unknown>) =>
        asked.then(
            () => 200,
            ({ status }: ApiError) => status,
        );

    before(async () => {
        await issuer.start();
        server = await ApiServer.start();
        const read = readKubeconfig(server.kubeconfig);
        [url, ca] = [read.server, read.credentials.ca!];
        const role = clusterRole("developers", [{ apiGroups: [""], resources: ["pods"], verbs: ["list"] }]);
        for (const object of [role, clusterBinding("developers", "developers", subjects.group("developers"))]) {
            await server.cluster.apply(object as KubernetesObject, { fieldManager, force: false });
        }
        await configured(jwtOf());
        // kube-apiserver reads the issuer's keys in the background.
        await until(
            "the issuer's keys",
            async () => (await statusOf(userOf(await issuer.login("ann", "kubernetes")))) === 200,
        );
    });
    after(async () => {
        await issuer.stop();
        await server?.stop();
        authority.remove();
    });

    it("make a user with groups and other attributes of the token", async () => {
        const { username, groups, extra } = await userOf(await issuer.login("ann", "kubernetes"));
        assert.equal(username, "ann");
        assert.deepEqual(groups, ["developers", "system:authenticated"]);
        assert.deepEqual(extra?.["example.com/email"], ["a@example.com"]);
    });

    it("have the permissions of their groups, and no others", async () => {
        const [ann, bob] = [await issuer.login("ann", "kubernetes"), await issuer.login("bob", "kubernetes")];
        assert.equal(await statusOf(by(ann).call(pods)), 200);
        assert.equal(await statusOf(by(ann).call("/api/v1/namespaces/default/secrets")), 403);
        assert.equal(await statusOf(by(bob).call(pods)), 403);
    });

    it("leave anonymous requests their few paths", async () => {
        const anonymous = new ApiClient(url, () => ({ ca }));
        assert.equal(await statusOf(anonymous.call("/readyz")), 200);
        assert.equal(await statusOf(anonymous.call("/version")), 401);
    });

    /** Why the last token was rejected, as docs/troubleshooting.md has it. */
    const isLogged = (why: RegExp) =>
        until(`${why} in the log`, async () => {
            const lines = server.log.split("\n").filter((line) => line.includes("Unable to authenticate the request"));
            return why.test(lines.at(-1) ?? "");
        });

    it("fail with a token for another application", async () => {
        assert.equal(await statusOf(userOf(await issuer.login("ann", "other"))), 401);
        await isLogged(/oidc: verify token: oidc: expected audience in \[.*kubernetes.*\] got \[.*other.*\]/);
    });

    it("end with the token", async () => {
        const token = await issuer.login("ann", "brief");
        assert.equal(await statusOf(userOf(token)), 200);
        // kube-apiserver remembers a token for ten seconds.
        await until("the token to expire", async () => (await statusOf(userOf(token))) === 401, 30);
        await isLogged(/oidc: verify token: oidc: token is expired \(Token Expiry: /);
    });

    it("fail with a token that was changed", async () => {
        const [header, , signature] = (await issuer.login("bob", "kubernetes")).split(".");
        const [, claims] = (await issuer.login("ann", "kubernetes")).split(".");
        assert.equal(await statusOf(userOf([header, claims, signature].join("."))), 401);
    });

    it("fail if a rule about claims is false", async () => {
        assert.equal(await statusOf(userOf(await issuer.login("eve", "kubernetes"))), 401);
        await isLogged(/oidc: error evaluating claim validation expression/);
    });

    for (const name of ["mallory", "system:admin", "kube-apiserver-kubelet-client"]) {
        it(`fail as ${name}, whose name or group is reserved for the cluster`, async () => {
            assert.equal(await statusOf(userOf(await issuer.login(name, "kubernetes"))), 401);
            await isLogged(/oidc: error evaluating user info validation rule: .* reserved for the cluster/);
        });
    }

    it("go on with the issuer's next key, without a restart", async () => {
        const before = await issuer.login("ann", "kubernetes");
        await issuer.rotateKeys();
        const token = await issuer.login("ann", "kubernetes");
        assert.equal(await statusOf(userOf(token)), 200);
        await until("the former key to be dropped", async () => (await statusOf(userOf(before))) === 401, 30);
    });

    it("go on with tokens while the issuer is down", async () => {
        const tokens = [await issuer.login("ann", "kubernetes"), await issuer.login("bob", "kubernetes")];
        await issuer.stop();
        for (const token of tokens) assert.equal(await statusOf(userOf(token)), 200);
        await issuer.start();
    });

    it("wait for an issuer that is down when kube-apiserver starts, which serves all others", async () => {
        const token = await issuer.login("ann", "kubernetes");
        await issuer.stop();
        await configured(jwtOf());
        assert.equal(await statusOf(server.http.send({ method: "GET", path: pods })), 200);
        assert.equal(await statusOf(userOf(token)), 401);
        await isLogged(/oidc: authenticator not initialized/);
        await issuer.start();
        await until("logins to work again", async () => (await statusOf(userOf(token))) === 200);
    });

    it("are refused at the start with an expression that is no CEL, so that the old pod serves on", async () => {
        const userValidationRules = [{ expression: "user.username ==" }];
        await assert.rejects(() => configured(jwtOf({ userValidationRules })), /userValidationRules\[0\]\.expression/);
    });
});
