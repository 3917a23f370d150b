import { ask } from "../http";
import type { AwsCredentials } from "./query";

const rolesPath = "/latest/meta-data/iam/security-credentials/";

/** What this instance's role may sign with for some hours. */
export async function instanceRole(service?: string): Promise<AwsCredentials> {
    const metadata = await askMetadata(service);
    const [role = ""] = (await metadata(rolesPath)).trim().split("\n");
    return credentialsOf(await metadata(`${rolesPath}${role}`));
}

/** AWS has other ones five minutes before those end that it gave. Source: "Retrieve security credentials from instance metadata". */
const keptMilliseconds = 240_000;

/** What this instance's role may sign with, asked again after some minutes. */
export function keptRole(
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
        throw new Error(`the metadata service has no credentials of the instance's role: ${Code}`);
    }
    return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token };
}

/** Where every instance finds the metadata service, one hop away for who is in the network of its host: others get no answer. */
export const metadataService = "http://169.254.169.254";

/** `(path) => text` of what the metadata service tells this instance, to who asks with a token (IMDSv2). */
export async function askMetadata(service = metadataService): Promise<(path: string) => Promise<string>> {
    const say = async (path: string, asked: Parameters<typeof ask>[1]) => {
        const { status, text } = await ask(`${service}${path}`, asked);
        if (status !== 200) throw new Error(`the metadata service answers ${status} to ${path}`);
        return text;
    };
    const ttl = { "x-aws-ec2-metadata-token-ttl-seconds": "60" };
    const token = await say("/latest/api/token", { method: "PUT", headers: ttl });
    return (path) => say(path, { headers: { "x-aws-ec2-metadata-token": token } });
}
