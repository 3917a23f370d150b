/** Only with a token, and from the machine itself: a packet of a pod's network has one hop more. */
export const metadataOptions = { httpEndpoint: "enabled", httpTokens: "required", httpPutResponseHopLimit: 1 };

/** Where the AMIs of Flatcar and Fedora CoreOS have their root volume. */
export const rootDevice = "/dev/xvda";

export const volumeType = "gp3";
