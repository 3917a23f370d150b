import { ask } from "./http-ask";

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
