// Package driver asks a driver of volumes by its socket.
package driver

import (
	"context"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// Connect leads to a driver, which need not be there yet.
func Connect(socket string) (csi.IdentityClient, error) {
	connection, err := grpc.NewClient("unix://"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, err
	}
	return csi.NewIdentityClient(connection), nil
}

// Name is what the driver calls itself, as soon as it is there.
func Name(client csi.IdentityClient) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	info, err := client.GetPluginInfo(ctx, &csi.GetPluginInfoRequest{}, grpc.WaitForReady(true))
	return info.GetName(), err
}

// Answers tells whether the driver says that it can work; one that says nothing of it can.
func Answers(ctx context.Context, client csi.IdentityClient) (bool, error) {
	answer, err := client.Probe(ctx, &csi.ProbeRequest{})
	if err != nil {
		return false, err
	}
	return answer.GetReady() == nil || answer.GetReady().GetValue(), nil
}
