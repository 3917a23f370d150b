import { certificateFor } from "../services/authority";

/** Names under which AWS' services answer, and a certificate for those of a region. */
export function awsNames(region: string): { readonly domains: readonly string[]; readonly certificate: string } {
    const regional = ["*", "*.s3", "*.dualstack", "*.s3.dualstack"].map((each) => `${each}.${region}.amazonaws.com`);
    return { domains: ["amazonaws.com"], certificate: certificateFor(["*.amazonaws.com", ...regional]) };
}
