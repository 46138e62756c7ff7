package dev.lasso.simulator.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Vectors signed by ethers 6 with the first key of the well-known test mnemonic. */
class RawTransactionTest {

  static final String SENDER = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
  static final String LEGACY =
      "0xf8658084773594008252089470997970c51812dc3a010c7d01b50e0d17dc79c88230398026a0fe976bbfedd476"
          + "90a55f4bfc23b493c8791786766af84366ad289989cd3eeb0ca014c9fa98989b57377d7d86934dcb5cff3753"
          + "ae82e0c53b7310d826b518cc2136";
  static final String ACCESS_LIST =
      "0x01f8a0018084773594008252089470997970c51812dc3a010c7d01b50e0d17dc79c882303980f838f794709979"
          + "70c51812dc3a010c7d01b50e0d17dc79c8e1a011111111111111111111111111111111111111111111111111"
          + "1111111111111101a0d6612fbbcc9f4e209288ebf7d5dcf8656989b033fbb981dce049091bb1ada43ea0421c"
          + "cf87753996078b749093dc97b84527142ea8fb9074c186850d648b9b5833";
  static final String DYNAMIC_FEE =
      "0x02f86d0101843b9aca0085012a05f2008252089470997970c51812dc3a010c7d01b50e0d17dc79c882303980c0"
          + "01a0fa88325a9f585c45e1b29ba39ed1f95692afa3ef5d6f75ceecc2cc90a5e4325ca021c388f32aff9d4b59"
          + "3b99e2895afbf6e30485462b4e17316f070dc22c8a2782";
  static final String CREATION =
      "0x02f85d0102843b9aca0085012a05f200830186a08080856001600155c001a08038b1cb1b0d6d2389b1a94fb04b"
          + "87cce550fb4941bbe0fa89b3c8c146c59603a01d1aabd0b2c52d147e8a5473e667b9a591640e0d660adc3b6d"
          + "62695b85eeedaf";

  @ParameterizedTest
  @CsvSource({
    LEGACY + ",0,0,0x173eb167a2bc514bfcb1280fafab2eebbcf168577969a9eb613f579c986d5f0a",
    ACCESS_LIST + ",1,0,0x326af7c86f88b49937c9c96fe55dce3d88c1626c39d6b450d0df9b249b468d1b",
    DYNAMIC_FEE + ",2,1,0x32a4ab64e21d907acc791dcf9e458866e796ccbf9b1544e0c2de9d3e19c35e8a",
    CREATION + ",2,2,0xdb83782296c105e7af8b0f683a90cbd32c0d9499864499d9eae1504481bf5fc2",
  })
  void decodesAndRecoversTheSender(String raw, int type, long nonce, String hash) {
    SimTransaction transaction = RawTransaction.decode(Hex.bytes(raw));

    assertThat(transaction.from()).isEqualTo(SENDER);
    assertThat(transaction.hash()).isEqualTo(hash);
    assertThat(transaction.type()).isEqualTo(type);
    assertThat(transaction.nonce()).isEqualTo(nonce);
    assertThat(transaction.chainId()).isEqualTo(1);
    assertThat(transaction.submitted()).isTrue();
  }

  @Test
  void readsFeesAndValue() {
    SimTransaction transaction = RawTransaction.decode(Hex.bytes(DYNAMIC_FEE));

    assertThat(transaction.value()).isEqualTo(12345);
    assertThat(transaction.gas()).isEqualTo(21_000);
    assertThat(transaction.maxFeePerGas()).isEqualTo(5_000_000_000L);
    assertThat(transaction.maxPriorityFeePerGas()).isEqualTo(1_000_000_000L);
    assertThat(transaction.effectiveGasPrice(2_000_000_000L))
        .isEqualTo(BigInteger.valueOf(3_000_000_000L));
  }

  @Test
  void readsAnAccessList() {
    SimTransaction transaction = RawTransaction.decode(Hex.bytes(ACCESS_LIST));

    assertThat(transaction.accessList()).hasSize(1);
    assertThat(transaction.accessList().getFirst().storageKeys())
        .containsExactly("0x" + "11".repeat(32));
  }

  @Test
  void namesTheContractThatACreationMakes() {
    SimTransaction transaction = RawTransaction.decode(Hex.bytes(CREATION));

    assertThat(transaction.to()).isNull();
    assertThat(transaction.createdContract())
        .isEqualTo("0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0x", "0x00", "0xc0", "0x02", "0x02c0", "0x03c0", "0xff", "0x02f86d0101"})
  void rejectsWhatIsNoTransaction(String raw) {
    assertThatThrownBy(() -> RawTransaction.decode(Hex.bytes(raw)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
