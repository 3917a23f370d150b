import { queryAws, serviceUrl } from "../../common/aws-query";
import type { AwsCredentials } from "../../common/aws-signature";
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

const timeoutMilliseconds = 30_000;

/** @param endpoint - of all services, as AWS' own programs take it from AWS_ENDPOINT_URL. @default - AWS' own, of the region */
export function awsQuery(region: string, credentials: AwsCredentials, endpoint?: string): AwsQuery {
    return async (name, Action, params = {}) => {
        const [service, Version] = versions[name];
        const url = endpoint?.replace(/\/+$/, "") || serviceUrl(service, region);
        const form = { Action, Version, ...params };
        return parseXml(await queryAws({ url, service, region }, form, credentials, timeoutMilliseconds));
    };
}
