import { ask } from "../http";
import type { AwsCredentials } from "./query";

const rolesPath = "/latest/meta-data/iam/security-credentials/";

/** Credentials of this instance's role, valid for some hours. */
export async function instanceRole(service?: string): Promise<AwsCredentials> {
    const metadata = await askMetadata(service);
    const [role = ""] = (await metadata(rolesPath)).trim().split("\n");
    return credentialsOf(await metadata(`${rolesPath}${role}`));
}

/**
 * AWS provides new credentials five minutes before the old ones expire. Source: "Retrieve security credentials from instance
 * metadata".
 */
const keptMilliseconds = 240_000;

/** Credentials of this instance's role, refreshed every few minutes. */
export function cachedRole(
    ask: () => Promise<AwsCredentials> = instanceRole,
    now: () => number = () => performance.now(),
): () => Promise<AwsCredentials> {
    let kept: { readonly credentials: AwsCredentials; readonly at: number } | undefined;
    return async () => {
        if (kept === undefined || now() - kept.at >= keptMilliseconds) kept = { at: now(), credentials: await ask() };
        return kept.credentials;
    };
}

function credentialsOf(text: string): AwsCredentials {
    const { Code, AccessKeyId, SecretAccessKey, Token } = JSON.parse(text);
    if (Code !== "Success" || !AccessKeyId || !SecretAccessKey || !Token) {
        throw new Error(`the metadata service returned no credentials of the instance's role: ${Code}`);
    }
    return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token };
}

/**
 * Address of the metadata service on every instance. Only clients in the host's network reach it, because responses are
 * limited to one hop.
 */
export const metadataService = "http://169.254.169.254";

/** `(path) => text` of this instance's metadata, with a token (IMDSv2). */
export async function askMetadata(service = metadataService): Promise<(path: string) => Promise<string>> {
    const say = async (path: string, asked: Parameters<typeof ask>[1]) => {
        const { status, text } = await ask(`${service}${path}`, asked);
        if (status !== 200) throw new Error(`the metadata service returned status ${status} for ${path}`);
        return text;
    };
    const ttl = { "x-aws-ec2-metadata-token-ttl-seconds": "60" };
    const token = await say("/latest/api/token", { method: "PUT", headers: ttl });
    return (path) => say(path, { headers: { "x-aws-ec2-metadata-token": token } });
}
