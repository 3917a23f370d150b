import { type AwsCredentials, signedHeaders } from "../../common/aws-signature";
import { refusal } from "../../common/aws-xml";
import { ask } from "../../common/http-ask";
import { parseXml, type XmlElement } from "../../common/xml-tree";

const versions = {
    ec2: ["ec2", "2016-11-15"],
    classic: ["elasticloadbalancing", "2012-06-01"],
    network: ["elasticloadbalancing", "2015-12-01"],
} as const;

/** Asks a service of AWS; the answer's outermost element. Throws what it says when it refuses. */
export type AwsQuery = (
    service: keyof typeof versions,
    action: string,
    params?: Readonly<Record<string, string>>,
) => Promise<XmlElement>;

/** @param endpoint - of all services, as AWS' own programs take it from AWS_ENDPOINT_URL. @default - AWS' own, of the region */
export function awsQuery(region: string, credentials: AwsCredentials, endpoint?: string): AwsQuery {
    // Source: "Amazon EC2 endpoints and quotas".
    const domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
    return async (name, action, params = {}) => {
        const [service, version] = versions[name];
        const url = endpoint?.replace(/\/+$/, "") || `https://${service}.${region}.${domain}`;
        const body = new URLSearchParams({ Action: action, Version: version, ...params }).toString();
        const request = {
            method: "POST",
            path: "/",
            headers: {
                host: new URL(url).host,
                "content-type": "application/x-www-form-urlencoded; charset=utf-8",
            },
            body,
        };
        const headers = signedHeaders(request, { service, region }, credentials);
        const { status, text } = await ask(`${url}/`, { method: "POST", headers, body }, 30_000);
        if (status !== 200) throw new Error(`${service} refuses ${action}: ${refusal(text)}`);
        return parseXml(text);
    };
}
