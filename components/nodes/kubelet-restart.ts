import { paths } from "./paths";

/** Lets the bootstrap agent, which sees no more of the host than its own directories, have the kubelet restarted. */
export const kubeletRestartPath = `[Unit]
Description=Restart the kubelet when the bootstrap asks for it
ConditionPathExists=!${paths.bootstrapState}/pivoted

[Path]
PathExists=${paths.kubeletRestart}

[Install]
WantedBy=multi-user.target
`;

export const kubeletRestartService = `[Unit]
Description=Restart the kubelet, which leaves its containers alone

[Service]
Type=oneshot
ExecStart=/bin/rm ${paths.kubeletRestart}
ExecStart=/bin/systemctl try-restart kubelet.service
`;
