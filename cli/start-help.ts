import { ETCD_VERSIONS, KUBERNETES_VERSIONS, versions } from "../artifacts/lock";

export const START_HELP = `Brings up a self-hosted Kubernetes cluster on this computer, or goes on where it was stopped.

Usage: npm start -- [options]

  --name NAME           the cluster's name (default: local)
  --controllers N       1, 3 or 5 (default: 1)
  --workers N           0 or more (default: 1)
  --kubernetes VERSION  ${KUBERNETES_VERSIONS.join(" or ")} (default: ${versions.kubernetes})
  --etcd VERSION        ${ETCD_VERSIONS.join(" or ")} (default: ${versions.etcd})
  --os FORM             how the machines take their configuration: ignition or cloud-init (default: ignition)
  --os-like NAME        an operating system that the machines imitate: ubuntu, with systemd-resolved, networkd and the settings of
                        unattended-upgrades (default: none, a minimal Debian)
  --level LEVEL         what hosts itself: 2-4, the control plane and what is above it, 1-4, etcd as well, or 0-4, the
                        kubelet as well, but not etcd (default: 2-4)
  --pod-cidr CIDR       addresses of pods (default: 10.2.0.0/16)
  --service-cidr CIDR   addresses of services (default: 10.3.0.0/16)
  --pod-cidr6 CIDR, --service-cidr6 CIDR
                        those by IPv6 beside, such as fd00:10:2::/56 and fd00:10:3::/112 (default: none)
  --destroy             removes the cluster: its machines, network and state
  --yes, -y             asks nothing
  --help, -h

An existing cluster keeps what is not given here. More can be set with
  npm run pulumi -- config set ...   then   npm start

Where things are (set these to move them):
  TRADEWIND_CACHE   what was fetched or built (~/.cache/tradewind)
  TRADEWIND_STATE   clusters' state, kubeconfig and passphrase (~/.local/share/tradewind)
`;
