import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { type Answer, type Api, type Asked, isCaller, type Who } from "../../services/service";
import { type Account, accountId } from "../account";
import { mayRole } from "../policy";
import { sealed, unsealed } from "./caller";

/** ECR's API: the password of the account's registry. */
export const ecr: Api<Account> = { hosts: /^api\.ecr\.[a-z0-9-]+\.amazonaws\.com$/, answer };

/** The account's registry: every repository has one image, which no one gets without a password. */
export const ecrRegistry: Api<Account> = {
    hosts: new RegExp(`^${accountId}\\.dkr\\.ecr\\.[a-z0-9-]+\\.amazonaws\\.com$`),
    answer: registry,
};

const purpose = "password of a registry";
/** No secret is needed to keep clients honest: none of them derives a password by itself. */
const secret = accountId;
const hours = 12;

const target = "AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken";

function answer(account: Account, { headers }: Asked, { caller }: Who): Answer {
    if (!isCaller(caller)) {
        return failure(caller.problem ?? "MissingAuthenticationTokenException", "the request has no valid signature");
    }
    if (headers["x-amz-target"] !== target) return failure("UnknownOperationException", "it is not simulated");
    if (!mayRole(account, caller.role, "ecr:GetAuthorizationToken", "*")) {
        const what = `${caller.role} is not authorized to perform: ecr:GetAuthorizationToken`;
        return failure("AccessDeniedException", what);
    }
    const expires = Date.now() + hours * 3_600_000;
    const password = sealed(secret, purpose, { role: caller.role, expires });
    const authorizationData = [
        {
            authorizationToken: Buffer.from(`AWS:${password}`).toString("base64"),
            expiresAt: expires / 1000,
            proxyEndpoint: `https://${accountId}.dkr.ecr.${account.state.region}.amazonaws.com`,
        },
    ];
    return { status: 200, headers: json, body: JSON.stringify({ authorizationData }) };
}

const json = { "content-type": "application/x-amz-json-1.1" };

function failure(code: string, message: string): Answer {
    return { status: 400, headers: json, body: JSON.stringify({ __type: code, message }) };
}

/** Source: the specification of OCI's distribution API; ECR's answers without and with a password. */
function registry(account: Account, { method, host, path, headers }: Asked): Answer {
    const role = roleOf(headers.authorization);
    if (role === undefined) {
        const challenge = { "www-authenticate": `Basic realm="https://${host}/",service="ecr.amazonaws.com"` };
        return { ...refusal(401, "UNAUTHORIZED", "Not Authorized"), headers: challenge };
    }
    if (path === "/v2/" || path === "/v2") return { status: 200, body: "{}" };
    const [, repository, kind, reference] = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(path) ?? [];
    if (!repository || !["GET", "HEAD"].includes(method)) return refusal(404, "UNSUPPORTED", "it is not simulated");
    const on = account.arn("ecr", `repository/${repository}`);
    const action = kind === "blobs" ? "ecr:GetDownloadUrlForLayer" : "ecr:BatchGetImage";
    if (!mayRole(account, role, action, on)) return refusal(403, "DENIED", `${role} may not ${action} on ${on}`);
    const found = blobs.get(reference!) ?? (kind === "manifests" && !reference!.includes(":") ? manifest : undefined);
    return found ? serve(found) : refusal(404, "MANIFEST_UNKNOWN", `${reference} does not exist`);
}

/** The role that a password was given to. */
function roleOf(authorization = ""): string | undefined {
    const [, basic = ""] = /^Basic (.+)$/.exec(authorization) ?? [];
    const [, user, password = ""] = /^([^:]*):(.*)$/s.exec(Buffer.from(basic, "base64").toString()) ?? [];
    const found = unsealed<{ role: string; expires: number }>(secret, purpose, password);
    return user === "AWS" && found && found.expires > Date.now() ? found.role : undefined;
}

function refusal(status: number, code: string, message: string): Answer {
    return { status, body: JSON.stringify({ errors: [{ code, message }] }) };
}

interface Blob {
    readonly type: string;
    readonly digest: string;
    readonly body: Buffer;
}

function blob(type: string, body: Buffer): Blob {
    return { type, body, digest: `sha256:${createHash("sha256").update(body).digest("hex")}` };
}

const oci = "application/vnd.oci.image";
/** An archive without files. */
const files = Buffer.alloc(1024);
const layer = blob(`${oci}.layer.v1.tar+gzip`, gzipSync(files));
const config = blob(
    `${oci}.config.v1+json`,
    Buffer.from(
        JSON.stringify({
            architecture: "amd64",
            os: "linux",
            config: { Cmd: ["/nothing"] },
            rootfs: { type: "layers", diff_ids: [blob("", files).digest] },
        }),
    ),
);
const described = ({ type, digest, body }: Blob) => ({ mediaType: type, digest, size: body.length });
const manifest = blob(
    `${oci}.manifest.v1+json`,
    Buffer.from(
        JSON.stringify({
            schemaVersion: 2,
            mediaType: `${oci}.manifest.v1+json`,
            config: described(config),
            layers: [described(layer)],
        }),
    ),
);
const blobs = new Map([layer, config, manifest].map((each) => [each.digest, each]));

function serve({ type, digest, body }: Blob): Answer {
    const headers = { "content-type": type, "docker-content-digest": digest, "content-length": String(body.length) };
    return { status: 200, headers, body };
}
