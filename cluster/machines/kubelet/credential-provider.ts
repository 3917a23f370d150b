import { type Config, config, file, unit } from "../../../ignition";
import type { Download } from "../../downloads";
import { launcher, paths } from "../../paths";
import { fetchScript } from "../system";

const provider = "ecr-credential-provider";
const folder = "/opt/tradewind/credential-providers";
const configPath = `${paths.kubernetes}/credential-providers.json`;

/** Name of the unit that downloads the provider. */
export const credentialProviderUnit = `${provider}.service`;

/** The kubelet's flags for its credential provider. It does not start without the provider's program. */
export const credentialProviderFlags = {
    "image-credential-provider-bin-dir": folder,
    "image-credential-provider-config": configPath,
};

/**
 * The program that gives the kubelet passwords for private registries in ECR, which it gets with the instance's role.
 * Downloaded while the container runtime and the CNI plugins are.
 */
export function credentialProvider({ urls, sha256 }: Download): Config {
    return config({
        files: [file(configPath, `${JSON.stringify(providers, null, 2)}\n`, { mode: 0o644 })],
        units: [unit(credentialProviderUnit, { enabled: true, contents: service({ urls, sha256 }) })],
    });
}

/** Host names of registries, each with wildcards for the account and the region. Source: cloud-provider-aws. */
const matchImages = [
    "*.dkr.ecr.*.amazonaws.com",
    "*.dkr.ecr.*.amazonaws.com.cn",
    "*.dkr.ecr-fips.*.amazonaws.com",
    "*.dkr-ecr.*.on.aws",
];

const providers = {
    apiVersion: "kubelet.config.k8s.io/v1",
    kind: "CredentialProviderConfig",
    providers: [
        {
            name: provider,
            apiVersion: "credentialprovider.kubelet.k8s.io/v1",
            matchImages,
            // Without effect as long as the provider says for how long: passwords are valid for twelve hours.
            defaultCacheDuration: "6h",
        },
    ],
};

const service = ({ urls, sha256 }: Download) => `[Unit]
Description=Install the kubelet's credential provider for ECR
Documentation=https://github.com/kubernetes/cloud-provider-aws
Wants=network-online.target
After=network-online.target
Before=kubelet.service
StartLimitIntervalSec=0

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=${launcher} ${fetchScript} ${folder}/${provider} ${sha256} ${urls.join(" ")}
ExecStart=/bin/chmod 0755 ${folder}/${provider}
Restart=on-failure
RestartSec=2

[Install]
WantedBy=multi-user.target
RequiredBy=kubelet.service
`;
